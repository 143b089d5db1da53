// Adds a button to the files of a plot that saves it as a PNG: the SVG file, drawn at twice its size.
for (const place of document.querySelectorAll('[data-png]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'PNG';
  button.addEventListener('click', () => void savePng(place.dataset.png));
  place.append(button);
}

async function savePng(address) {
  // The file has the name of the SVG file.
  const { headers } = await fetch(address, { method: 'HEAD' });
  const [, name = 'plot'] = /filename="(.*)\.svg"/.exec(headers.get('content-disposition')) ?? [];
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth * 2;
  canvas.height = image.naturalHeight * 2;
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => {
    const link = document.createElement('a');
    link.href = window.URL.createObjectURL(blob);
    link.download = `${name}.png`;
    link.click();
    window.URL.revokeObjectURL(link.href);
  }, 'image/png');
}

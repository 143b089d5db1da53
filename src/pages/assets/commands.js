// Adds a copy button to each command. Over plain HTTP, browsers have no clipboard except on this machine.
for (const box of window.navigator.clipboard ? document.querySelectorAll('.command') : []) {
  const pre = box.querySelector('pre');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'plain small';
  button.textContent = box.dataset.copy;
  button.setAttribute('aria-label', box.dataset.copyWhat);
  button.addEventListener('click', async () => {
    await window.navigator.clipboard.writeText(pre.textContent);
    button.textContent = box.dataset.copied;
  });
  box.append(button);
}

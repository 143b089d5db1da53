// Lets people drop a file on the form, which also works without this script.
const drop = document.getElementById('drop');
const input = document.getElementById('file');

for (const type of ['dragenter', 'dragover']) {
  drop.addEventListener(type, (event) => {
    event.preventDefault();
    drop.classList.add('over');
  });
}
for (const type of ['dragleave', 'drop']) drop.addEventListener(type, () => drop.classList.remove('over'));
drop.addEventListener('drop', (event) => {
  event.preventDefault();
  if (event.dataTransfer.files.length === 0) return;
  input.files = event.dataTransfer.files;
  input.form.requestSubmit();
});

const input = document.getElementById('file');

// Keeps the chosen file when the answer comes, so that it can be stored without being chosen again.
async function submit(event) {
  const { form } = input;
  if (input.files.length === 0) return;
  event.preventDefault();
  const { submitter } = event;
  const action = submitter?.getAttribute('formaction') ?? form.action;
  for (const button of form.querySelectorAll('button')) button.disabled = true;
  let page;
  try {
    const answer = await fetch(action, { method: 'POST', body: new FormData(form) });
    page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (page.getElementById('file') === null) throw new Error('another page');
  } catch {
    form.action = action; // the browser shows what came of it
    form.submit();
    return;
  }
  page.getElementById('file').replaceWith(input);
  page.getElementById('unkept')?.remove();
  document.querySelector('main').replaceWith(page.querySelector('main'));
  listen();
  document.querySelector('[role=alert], [role=status]')?.scrollIntoView();
}

// Lets people drop a file on the form, which also works without this script.
function listen() {
  const drop = document.getElementById('drop');
  input.form.addEventListener('submit', (event) => void submit(event));
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
}

listen();

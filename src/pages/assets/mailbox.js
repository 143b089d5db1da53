// Adds new emails to the mailbox as they arrive. While the list has the pointer or the focus, they wait for a click.
const live = document.getElementById('live');
const mails = document.getElementById('mails');
let waiting = 0;

function isInUse() {
  return mails.matches(':hover') || mails.contains(document.activeElement);
}

async function show() {
  const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
  if (!answer.ok) throw new Error('The mailbox did not answer.');
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('mails');
  mails.replaceChildren(...fresh.childNodes);
  waiting = 0;
  live.replaceChildren('New mails appear here by themselves.');
}

function offer() {
  waiting += 1;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'small';
  button.textContent = waiting === 1 ? 'Show 1 new mail' : `Show ${waiting} new mails`;
  button.addEventListener('click', () => void show());
  live.replaceChildren(button);
}

const events = new EventSource(live.dataset.events);
events.addEventListener('open', () => {
  if (waiting === 0) live.replaceChildren('New mails appear here by themselves.');
});
events.addEventListener('mail', () => {
  if (isInUse()) offer();
  else void show();
});

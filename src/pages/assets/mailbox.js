// Adds new emails to the mailbox as they arrive. While the list has the pointer or the focus, they wait for a click.
const live = document.getElementById('live');
const mails = document.getElementById('mails');
const lookAgain = [...live.childNodes];
// How many new mails are not shown; Infinity if there are some, but nobody counted them.
let waiting = 0;
let lastRequest = 0;

function isInUse() {
  return mails.matches(':hover') || mails.contains(document.activeElement);
}

// Returns the list as it is now; nothing if a later request was made meanwhile.
async function fetchMails() {
  lastRequest += 1;
  const request = lastRequest;
  const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
  if (!answer.ok) throw new Error('The mailbox did not answer.');
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('mails');
  return request === lastRequest ? fresh : undefined;
}

// The plain link works even if the service does not answer.
function sayLookAgain() {
  live.replaceChildren(...lookAgain);
}

// Says so only while it is true.
function sayReady() {
  if (events.readyState === EventSource.OPEN) live.replaceChildren(live.dataset.ready);
  else sayLookAgain();
}

function replace(fresh) {
  mails.replaceChildren(...fresh.childNodes);
  waiting = 0;
  sayReady();
}

async function show() {
  try {
    const fresh = await fetchMails();
    if (fresh) replace(fresh);
  } catch {
    sayLookAgain();
  }
}

function textOfOffer() {
  return waiting === Infinity ? live.dataset.show : `${live.dataset.show} (${waiting})`;
}

function offer() {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'small';
  button.textContent = textOfOffer();
  button.addEventListener('click', () => void show());
  live.replaceChildren(button);
}

// Shows what arrived before the stream was open, or while it was interrupted.
async function catchUp() {
  try {
    const fresh = await fetchMails();
    if (!fresh) return;
    if (fresh.innerHTML === mails.innerHTML) {
      if (waiting === 0) sayReady();
    } else if (!isInUse()) replace(fresh);
    else {
      waiting = Infinity;
      offer();
    }
  } catch {
    sayLookAgain();
  }
}

const events = new EventSource(live.dataset.events);
events.addEventListener('open', () => void catchUp());
events.addEventListener('error', () => {
  if (waiting === 0) sayLookAgain();
});
events.addEventListener('mail', () => {
  if (!isInUse()) return void show();
  waiting += 1;
  offer();
});

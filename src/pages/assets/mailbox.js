// Adds new emails to the mailbox as they arrive. While the list has the pointer or the focus, they wait until it has not.
const live = document.getElementById('live');
const mails = document.getElementById('mails');
const lookAgain = [...live.childNodes];
const events = new EventSource(live.dataset.events);
let hasNew = false;

function isInUse() {
  return mails.matches(':hover') || mails.contains(document.activeElement);
}

// The plain link works even if the service does not answer.
function sayLookAgain() {
  live.replaceChildren(...lookAgain);
}

function sayWhatWorks() {
  if (events.readyState === EventSource.OPEN) live.replaceChildren(live.dataset.ready);
  else sayLookAgain();
}

async function show() {
  hasNew = true;
  if (isInUse()) return;
  const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
  if (!answer.ok) throw new Error('The mailbox did not answer.');
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('mails');
  if (isInUse()) return;
  mails.replaceChildren(...fresh.childNodes);
  hasNew = false;
}

// One after the other, so that an earlier list never replaces a later one.
let turn = Promise.resolve();
function showInTurn() {
  turn = turn.then(show).then(sayWhatWorks, sayLookAgain);
}

// When the stream opens, also what arrived before, or while it was interrupted.
for (const name of ['open', 'mail']) events.addEventListener(name, showInTurn);
events.addEventListener('error', sayWhatWorks);
for (const name of ['mouseleave', 'focusout'])
  mails.addEventListener(name, ({ relatedTarget }) => {
    if (hasNew && !mails.contains(relatedTarget)) showInTurn();
  });

/**
 * Passwords that nothing names where they stand, in a message that speaks of access: "it takes X on the phone", "the old one
 * was X", a reply that is X alone. Three things tell them together: the shape of the word, what leads to it, and how much of
 * the text around it is about access. The less one of them says, the more the others must.
 */
import type { Detector, Match } from '../detector.ts'
import { filler } from '../sample-text.ts'
import { isProse } from '../text/prose.ts'
import { isSpeaker, pointsOfShape } from '../values/stray-value.ts'
import { isTopic, topicAnchors, topicAround } from './access-topics.ts'
import { leadOf, noLead } from './stray-leads.ts'
import { StrayWords } from './stray-words.ts'

/** How far from a word of the topic a value may stand. */
const unitsBefore = 200
const unitsBehind = 240

/** A point less finds nicknames and packages where people talk about access, a point more loses a tenth of the passwords. */
const pointsMin = 5

const strays = new StrayWords()

/** What is told around the word of the topic at `at`. Each word of a text is judged once. */
function told(text: string, at: number, textNumber: number): Match | undefined {
  if (!isTopic(text, at)) return undefined
  const to = Math.min(text.length, at + unitsBehind)
  let found: Match | undefined
  for (const { start, end } of strays.within(text, Math.max(0, at - unitsBefore), to, textNumber)) {
    if (!isPassword(text, start, end)) continue
    const match: Match = { start, end, confidence: 'medium', byContext: true }
    found = found === undefined ? match : { ...match, next: found }
  }
  return found
}

function isPassword(text: string, start: number, end: number): boolean {
  const lead = leadOf(text, start, end)
  if (lead === noLead) return false
  const shape = pointsOfShape(text, start, end)
  if (shape === undefined || shape + lead + topicAround(text, start, end) < pointsMin) return false
  return isProse(text, start, end) && !isSpeaker(text, start, end)
}

const word = ['violet', '8841'].join('')
const marked = ['Violet', '47!'].join('')
const joined = ['amber', '-falcon-', '43'].join('')

export const unnamedPasswordDetectors: readonly Detector[] = [
  {
    id: 'unnamed_password',
    label: 'PASSWORD',
    title: 'password that a message does not name',
    group: 'secret',
    tier: 'medium',
    lengthMin: 16,
    anchors: topicAnchors,
    match: (text, at, { textNumber }) => told(text, at, textNumber),
    hits: () => [
      `I keep getting kicked out of the vpn. It takes ${filler(9)}42 on the phone but not on the laptop`,
      `my account got locked out again, I am sure that I typed ${word} correctly`,
      `The old one stopped working after the reset of the admin account, it was ${marked} I think`,
      `if the nas asks you to authenticate then answer with ${joined} and hit enter twice`,
      `how do we get into the staging wiki, anybody who still has the login?\n> found it: ${filler(9)}42`,
      `Ich komme nicht mehr ins VPN rein, eingegeben habe ich ${filler(9)}42 wie immer, Anmeldung geht nicht`,
      `не могу войти на сервер, вводил ${filler(9)}42 и всё равно доступ запрещён`,
      `他让我用 ${filler(9)}42 登录，但是一直提示账号被锁定`,
      `what did you set for the service account in the end\n${word}\nthanks, that works for me`
    ],
    misses: () => [
      'my account got locked out again after the release of v2beta14, see JIRA-1234 and batch-prod-03 for it',
      'ask ana4821 who has access to the vpn, or log in to jenkins02 as deploy24',
      `<ana4821> I use the vpn\n<bo> then ana4821 has access to it, is that right, and who else has it now`,
      'you can log in with OAuth2 and the token is hashed with PBKDF2WithHmacSHA256 as RFC2898 says',
      'set up the login with type(uint160) and the field png_uint_32 of the account, then try Salsa20',
      'the vpn is broken, see lean#502 and dbus!54, and corretto@11 of the root account is no help',
      `I would like to know whether the colour of that word here is ${filler(6)} or another`,
      `{"login": true, "id": "${filler(9)}42", "account": 5, "vpn": {"x": 1}, "wifi": "sign in"}`
    ],
    source: 'How people write it; measured on 550 MB of chats, mails, manuals and change logs.'
  }
]

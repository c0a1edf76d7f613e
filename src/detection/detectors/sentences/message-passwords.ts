/**
 * Passwords in messages that do not name them directly: words that refer to what was said before, pairs, passphrases.
 * See `README.md` for the files that read each form.
 */
import { type Detector, type Match, type MatchContext, ofBoth } from '../../detector.ts'
import { filler, hexLetters } from '../../sample-text.ts'
import { codeAt } from '../../text/chars.ts'
import { answerAnchors, securityAnswer } from './security-answers.ts'
import { questionAnchors, answerToQuestion } from './questions-and-answers.ts'
import { listAnchors, listedCredential, listWordAt } from './credential-lists.ts'
import { anaphoraAnchors, referencedPassword } from './anaphora.ts'
import { phraseAnchors, statedPassphrase } from './stated-passphrases.ts'
import { accountAnchors, passwordOfAccount, mailPairAnchors, passwordOfMailPair } from './user-password-pairs.ts'

/** An ordinary word, which is a password only because somebody asked for one. */
const plain = ['sun', 'flower'].join('')

/** What the anchor at `at` announces. Its first letter tells the forms apart. */
function messagePassword(text: string, at: number, { textNumber }: MatchContext): Match | undefined {
  const first = codeAt(text, at) | 32
  if (first === 46) return passwordOfMailPair(text, at)
  const listed = listWordAt(text, at)
  // A heading may hold a pair itself: `Zugangsdaten admin/X, weitere:`.
  if (listed !== undefined)
    return ofBoth(listedCredential(text, at, listed, textNumber), passwordOfAccount(text, at, textNumber))
  if (first === 112 || first === 107) return statedPassphrase(text, at)
  return (
    referencedPassword(text, at) ??
    securityAnswer(text, at) ??
    passwordOfAccount(text, at, textNumber) ??
    answerToQuestion(text, at)
  )
}

export const messagePasswordDetectors: readonly Detector[] = [
  {
    id: 'message_password',
    label: 'PASSWORD',
    title: 'password in a message',
    group: 'secret',
    tier: 'medium',
    lengthMin: 14,
    anchors: [
      ...questionAnchors,
      ...listAnchors,
      ...anaphoraAnchors,
      ...answerAnchors,
      ...accountAnchors,
      ...mailPairAnchors,
      ...phraseAnchors
    ],
    match: messagePassword,
    hits: () => [
      `les identifiants sont admin et ${['Violet', '3372'].join('!')}`,
      `the deploy key passphrase, in case you need it to decrypt: ${['violet', 'canyon', 'lantern', 'pepper'].join(' ')}`,
      `whats the password for the printer again?\n\nits ${plain}`,
      `what's the wifi password?\n> ${plain}`,
      `[10:01] ana: what is the password of the NAS?\n[10:02] tom: it's ${plain}`,
      `"What's the password?" asked Ben. "It's ${plain}," she typed back.`,
      `[02:15] ren: primary is wedged. need the break glass\n[02:15] juli: ${filler(9)}42\n[02:16] ren: in`,
      `sven: I can't find the stripe test key\nme: which one?\nsven: the restricted\nme: one sec\nme: ${filler(32)}42\nsven: got it`,
      `Q: What did you use as JWT secret?\nA: ${filler(43)}=\nQ: thanks`,
      `Logins for the workshop (they expire on Friday):\n\n1. ws-01 ${filler(9)}42\n2. ws-02 ${filler(9)}42\n`,
      `We got two keys from the vendor:\nlive  ${filler(32)}\ntest  ${filler(32)}\nWhich one is it?`,
      `u/p for the camera is viewer / ${filler(9)}42`,
      `Wi-Fi: Quay-Office / ${filler(9)}42`,
      `Zugangsdaten Testshop: kunde1 / ${filler(9)}42 und kunde2 / ${['violet', '8841'].join('')}`,
      `my mother's maiden name is ${['Kowal', 'czyk'].join('')}`,
      `Security question: What was your first pet?\nAnswer: ${['Bru', 'no'].join('')}`,
      `memorable word: ${['blue', 'bell'].join('')}`,
      `changed it, the login of ops expired. new one: ${['violet', '8841'].join('')}`,
      `Do not use the old passphrase anymore. The new one is "${['violet', 'canyon', 'lantern', 'pepper'].join(' ')}".`,
      `I rotated it. New one:\n\n${filler(24)}\n\nOld one stops working at 6pm.`,
      `okay then take this one instead ${filler(24)}42 it has write scope`,
      `the passphrase on the private key is ${['violet', 'canyon', 'lantern', 'pepper', 'orchid'].join(' ')} (five words, no caps)`,
      `here's the key: ${filler(40, '0123456789abcdef')}\n\nnow can you check`,
      `luks passphrase for the backup disk = ${['violet', 'canyon', 'lantern', 'pepper'].join(' ')}\n`,
      `backup ran, borg key phrase: ${['violet', 'canyon', 'lantern', 'pepper'].join(' ')}`,
      `jo@acme.dev / ${filler(9)}42`,
      `Redakteurin: redaktion@verlag.at / ${['violet', '8841'].join('')}`,
      `  admin    e2e-admin@acme.dev     ${['violet', '8841'].join('')}\n`,
      `mech_list: plain\nops@mail.acme.com:${filler(9)}42\n`,
      `**Account used**: qa_04 / ${filler(9)}42`,
      `the admin page is behind basic auth (ops:${filler(9)}42)`
    ],
    misses: () => [
      'the passphrase, as we said, is kept inside some secure enclave memory region',
      "what's the password?\nno idea",
      "what's the password?\nMaria",
      "what's the password?\nits unknown",
      "what's the password?\nA: it's in the vault",
      `what's the password policy?\n${plain}`,
      `what's the name of the host?\n${plain}`,
      `what's the password, and who knows it\n${plain}`,
      "My mother's maiden name is required",
      'The security question: what was the first pet? Answer: optional',
      'the first pet was adopted in a shelter',
      `can you send me the key of the ticket\nbo: PAY-${['88', '41'].join('')}`,
      `I need the commit of the key change\nbo: ${filler(40, hexLetters)}`,
      `you need the token list of 2024\nimport x9Zk2LqWx8 from it`,
      `The keys of the config are:\n- name: the name\n- size: ${filler(9)}42\n`,
      `We got new accounts this month:\n- 12 of them in May2024\n- 9 of them in June2024\n`,
      'Wi-Fi: Home / Office, 2.4 GHz / 5 GHz',
      'Zugangsdaten im Vault: Team / Extern',
      'u/p ratio: low / high',
      'the new one is v2beta14, the old one was JIRA-1234 of the login epic',
      'Use the test user: see fixtures/users2024.json',
      'basic auth (RFC 7617) is on',
      'the passphrase is kept inside some secure enclave memory region',
      "here's the key point: the v2beta14 release",
      'the passphrase: enter something random twice here please',
      `git clone git@github.com:${filler(9)}42/x.git`,
      `scp dump.gz ops@files.acme.com:${filler(9)}42`,
      'listen on acme.com:8443 and ops@acme.com:2222',
      'ask jo@acme.dev / Team-Lead2 of payments',
      'mail jo@acme.com: release v2beta14 is out'
    ],
    source: 'How people write it.'
  }
]

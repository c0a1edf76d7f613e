import assert from 'node:assert/strict'
import test from 'node:test'
import { isProse } from './prose.ts'

const place = '⟪⟫'
const judged = (text: string) => isProse(text, text.indexOf(place), text.indexOf(place) + place.length)

test('sentences are prose, in every alphabet and with the marks of a chat', () => {
  for (const text of [
    `the old one was ${place} I think, and it worked until yesterday`,
    `[09:41] <karim> what did we use there in the end, I cannot find it\n[09:42] <lena> ${place}\n[09:42] <karim> thanks a lot, that one works`,
    `не могу войти, вводил ${place} и всё равно отказ`,
    `他让我用 ${place} 登录，但是一直提示账号被锁定`,
    `**Ana** 10:02\nanyone remember this?\n**Bo** 10:04\n${place}`
  ])
    assert.ok(judged(text), text)
})

test('code, rows and logs are not prose', () => {
  for (const text of [
    `if (login) { token = user["id"]; sign(${place}); return reset(account) }`,
    `id,login,token,42,17.5\n1,ana_k,${place},9,3.2\n2,bo_1,x-9,4,5.5`,
    `2026-01-02T03:04:05Z srv-1 sshd[811]: ${place} 10.0.0.1:22 0x4f`,
    `sign in ${place}`,
    `{"login":"ana is here and there","x":${place},"y":"she is not","z":1}`
  ])
    assert.ok(!judged(text), text)
})

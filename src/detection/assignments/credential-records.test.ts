/** Places where an ordinary word behind a label is a password, and places with the same label where it is not. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ordinaryWord as word } from '../sample-text.ts'
import { createScanner } from '../scanner.ts'

const scanner = createScanner()
const title = ['Schmetter', 'ling'].join('')

const stated = [
  `user/pass: bob/${word}`,
  `creds are bob and ${word}`,
  `user is bob\npw ${word}`,
  `username bob\npassword ${word}`,
  `sign in with bob@acme.dev and ${word}`,
  `E-mail: anna@acme.dev\nPassword: ${word}`,
  `Hi Anna,\n\nURL: https://portal.acme.dev\nUser ID: 48213\nPassword: ${word}\n\nKind regards`,
  `WiFi: Guest-Net\nPassword: ${word}`,
  `https://shop.acme.dev/wp-admin\nPassword: ${word}`,
  `IP: 10.0.0.4\nPassword: ${word}`,
  `| Field | Value |\n|---|---|\n| Username | anna |\n| Password | ${word} |`,
  `**Username:** anna\n**Password:** ${word}`,
  `User: \`anna\`\nPassword: \`${word}\``,
  `"host": "cache.acme.dev", "password": "${word}"`,
  `Password: ${word}`,
  `Your temporary password: ${word}\n\nIt is good for a day.`,
  `we have set up your account.\nPassword: ${word}\nPlease change it when you can.`,
  `Your password has been reset. New password: ${word}`,
  `Passwort: ${title}`,
  `Identifiant : anna\nMot de passe : ${word}`,
  `Usuario: anna\nContraseña: ${word}`,
  `Логин: anna\nПароль: ${word}`
]

/** Notorious passwords, where somebody states one. */
const weak = [
  ['pw: ', ['hunter', '2'].join('')],
  ['my password is ', ['hunter', '2'].join('')],
  ['user: admin / pass: ', ['admin', '123'].join('')],
  ['creds root:', ['to', 'or'].join('')],
  ['login admin:', ['Passw', '0rd!'].join('')],
  ['our wifi password is ', ['welcome', '123'].join('')]
] as const

const others = [
  `The default login is admin / ${['admin', '123'].join('')}`,
  `user: admin\npassword: ${['admin', '123'].join('')}\nhost: db\n`,
  `username: Name\npassword: ${title}`,
  `Username: string\nPassword: string`,
  `email: E-Mail\npassword: ${word}\nname: Vorname`,
  `| Option | Default | Meaning |\n|---|---|---|\n| host | nas.local | where |\n| password | ${word} | what |`,
  `Password: complexity\n\nWhat the rules ask for.`,
  `https://acme.dev/x?passwd' => ['${word}' => 'irc']`,
  `Username: anna\n\nLabels\nname: Nombre\npassword: ${word}\nsave: Guardar`
]

describe('an ordinary word behind a label', () => {
  stated.forEach((text) =>
    it(`is a password in ${JSON.stringify(text)}`, () => {
      const found = scanner.scan(text).filter(({ kind }) => kind !== 'email_address' && kind !== 'ipv4_address')
      const value = text.includes(title) ? title : word
      assert.deepEqual(
        found.map(({ start, end, tier }) => [text.slice(start, end), tier]),
        [[value, 'medium']]
      )
    })
  )
  weak.forEach(([lead, value]) =>
    it(`is one behind ${lead}, although it is a notorious one`, () => {
      const text = lead + value
      assert.deepEqual(
        scanner.scan(text).map(({ start, end, tier }) => [text.slice(start, end), tier]),
        [[value, 'medium']]
      )
    })
  )
  others.forEach((text) =>
    it(`is not one in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(
        scanner
          .scan(text)
          .filter(({ start, end }) =>
            [word, title, 'complexity', ['admin', '123'].join('')].includes(text.slice(start, end))
          ),
        []
      )
    })
  )
})

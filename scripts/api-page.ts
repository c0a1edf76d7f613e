/** The table of routes in `docs/api.md`, from the access table; the text around it is written by hand. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { routeAccess, type RouteAccess } from '../src/service/route-access.ts'
import { row } from './markdown.ts'
import { root } from './run.ts'

export const apiPagePath = 'docs/api.md'

const section = /(<!-- routes[^>]*-->\n)[\s\S]*(<!-- \/routes -->)/

/** The page with its table generated again. */
export function apiPage(): string {
  const page = readFileSync(join(root, apiPagePath), 'utf8')
  if (!section.test(page)) throw new Error(`${apiPagePath} has no place for the table of routes`)
  return page.replace(section, (_, begin: string, end: string) => `${begin}\n${routeTable()}\n\n${end}`)
}

function routeTable(): string {
  const rows = Object.entries(routeAccess).map(([route, access]) => row([`\`${route}\``, ...needs(access)]))
  return [row(['Route', 'Token', 'Person']), row(['---', '---', '---']), ...rows].join('\n')
}

function needs(access: RouteAccess): [token: string, person: string] {
  switch (access.by) {
    case 'anyone':
      return ['anyone', 'anyone']
    case 'token':
      return ['by its own scope', '']
    case 'session':
      return ['', 'anyone who is signed in']
    case 'both':
      return [`\`${access.scope}\``, `\`${access.permission}\``]
  }
}

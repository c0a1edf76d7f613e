/** Ways in which a name and its value are written together, for values that need no escapes in any of them. */

/** Writes a value beside a snake_case name. */
type Syntax = (name: string, value: string) => string

const camel = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
const pascal = (name: string) => camel('_' + name)
const kebab = (name: string) => name.replaceAll('_', '-')
const dotted = (name: string) => name.replaceAll('_', '.')
const spaced = (name: string) => name.replaceAll('_', ' ')
const upper = (name: string) => name.toUpperCase()

/** Configuration and data. */
const dataSyntaxes: Readonly<Record<string, Syntax>> = {
  env: (name, value) => `PORT=8080\n${upper(name)}=${value}\nDEBUG=1\n`,
  shell: (name, value) => `export ${upper(name)}="${value}"\n`,
  yaml: (name, value) => `service:\n  name: api\n  ${name}: ${value}\n  port: 80\n`,
  yamlQuoted: (name, value) => `service:\n  ${kebab(name)}: '${value}'\n`,
  json: (name, value) => `{"name":"api","${name}":"${value}","port":80}`,
  jsonLines: (name, value) => `{\n  "name": "api",\n  "${camel(name)}": "${value}"\n}`,
  jsonInJson: (name, value) => JSON.stringify(JSON.stringify({ port: 80, [name]: value })),
  toml: (name, value) => `[service]\n${name} = "${value}"\n`,
  ini: (name, value) => `[service]\n${name} = ${value}\nport = 80\n`,
  properties: (name, value) => `service.${dotted(name)}=${value}\n`,
  xml: (name, value) => `<config>\n  <${pascal(name)}>${value}</${pascal(name)}>\n</config>`,
  xmlAttribute: (name, value) => `<service ${camel(name)}="${value}" port="80"/>`,
  xmlPair: (name, value) => `<add key="${pascal(name)}" value="${value}" />`,
  xmlTyped: (name, value) => `<wsse:${pascal(name)} Type="text">${value}</wsse:${pascal(name)}>`,
  xmlRaw: (name, value) => `<config>\n  <${camel(name)}><![CDATA[${value}]]></${camel(name)}>\n</config>`,
  propertiesContinued: (name, value) => `service.${dotted(name)}=\\\n    ${value}\nport=80\n`,
  jsonnet: (name, value) => `{\n  ${name}:: '${value}',\n}\n`,
  registry: (name, value) => `    ${pascal(name)}    REG_SZ    ${value}\r\n`,
  propertyList: (name, value) => `<key>${pascal(name)}</key>\n<string>${value}</string>\n`,
  terraform: (name, value) => `variable "${name}" {\n  default = "${value}"\n}\n`,
  kubernetes: (name, value) => `        - name: ${upper(name)}\n          value: "${value}"\n`,
  composeQuoted: (name, value) => `    environment:\n      - "${upper(name)}=${value}"\n`,
  unit: (name, value) => `[Service]\nEnvironment="PORT=80" "${upper(name)}=${value}"\n`,
  compose: (name, value) => `    environment:\n      - ${upper(name)}=${value}\n`,
  dockerfile: (name, value) => `FROM node\nENV ${upper(name)} ${value}\n`
}

/** Program text. */
const codeSyntaxes: Readonly<Record<string, Syntax>> = {
  python: (name, value) => `import os\n${upper(name)} = '${value}'\n`,
  pythonArgument: (name, value) => `client = Client(region="eu", ${name}="${value}", retries=3)\n`,
  pythonDefault: (name, value) => `${name} = os.environ.get("${upper(name)}", "${value}")\n`,
  pythonTripled: (name, value) => `${name} = """${value}"""\n`,
  c: (name, value) => `static const char ${name}[] = "${value}";\n`,
  basic: (name, value) => `Const ${pascal(name)} As String = "${value}"\n`,
  java: (name, value) => `  private static final String ${upper(name)} = "${value}";\n`,
  javaSetter: (name, value) => `    client.set${pascal(name)}("${value}");\n`,
  javaProperty: (name, value) => `    props.put("${dotted(name)}", "${value}");\n`,
  kotlin: (name, value) => `val ${camel(name)} = "${value}"\n`,
  swift: (name, value) => `let ${camel(name)}: String = "${value}"\n`,
  csharp: (name, value) => `public string ${pascal(name)} { get; set; } = "${value}";\n`,
  go: (name, value) => `\t${camel(name)} := "${value}"\n`,
  goStruct: (name, value) => `cfg := Config{${pascal(name)}: "${value}", Port: 80}\n`,
  rust: (name, value) => `const ${upper(name)}: &str = "${value}";\n`,
  javascript: (name, value) => `const config = { ${camel(name)}: '${value}', port: 80 }\n`,
  fallback: (name, value) => `const k = process.env.${upper(name)} || '${value}'\n`,
  php: (name, value) => `$config['${name}'] = '${value}';\n`,
  ruby: (name, value) => `  config.${name} = '${value}'\n`,
  powershell: (name, value) => `$${pascal(name)} = "${value}"\n`,
  sql: (name, value) => `UPDATE users SET ${name}='${value}' WHERE id=1;\n`,
  diff: (name, value) => `@@ -1,2 +1,2 @@\n-${name}: old\n+${name}: ${value}\n`
}

/** Text that is typed, sent, logged and said. */
const textSyntaxes: Readonly<Record<string, Syntax>> = {
  header: (name, value) => `curl -sS https://api.acme.dev/v1 -H "X-${kebab(name)}: ${value}"\n`,
  address: (name, value) => `GET https://api.acme.dev/v1?page=2&${name}=${value}&z=1 HTTP/1.1\n`,
  flag: (name, value) => `tool login --${kebab(name)} ${value} --verbose\n`,
  flagWithSign: (name, value) => `tool login --${kebab(name)}=${value}\n`,
  container: (name, value) => `docker run -e ${upper(name)}=${value} -p 80:80 nginx\n`,
  secretCommand: (name, value) => `gh secret set ${upper(name)} --body "${value}"\n`,
  parameterCommand: (name, value) =>
    `aws ssm put-parameter --name /app/${name} --type SecureString --value '${value}'\n`,
  log: (name, value) => `2026-03-01T12:00:00.123Z INFO [main] connecting with ${name}=${value} attempt=1\n`,
  heading: (name, value) => `[debug] ${spaced(name)}: ${value}\n`,
  markedUp: (name, value) => `<pre>{&quot;port&quot;: 80, &quot;${name}&quot;: &quot;${value}&quot;}</pre>\n`,
  numbered: (name, value) => `<code>{&#34;port&#34;:80,&#34;${name}&#34;:&#34;${value}&#34;}</code>\n`,
  list: (name, value) => `- **${spaced(name)}**: \`${value}\`\n`,
  table: (name, value) => `| ${name} | \`${value}\` |\n`,
  prose: (name, value) => `Hi, the ${spaced(name)} is ${value} and it should still work.\n`
}

export const syntaxes = { ...dataSyntaxes, ...codeSyntaxes, ...textSyntaxes }

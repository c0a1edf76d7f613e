import assert from 'node:assert/strict'
import test from 'node:test'
import { operators } from './operators.ts'
import { Assignment } from './assignments.ts'

const assignment = new Assignment()

/** The value that is read behind the first `password` of a text, or undefined. */
function valueIn(text: string, word = 'password'): string | undefined {
  const at = text.toLowerCase().indexOf(word)
  return assignment.read(text, at, 3, () => true) ? text.slice(assignment.start, assignment.end) : undefined
}

test('a value is read in every way of writing an assignment', () => {
  const written: Record<string, string> = {
    'PASSWORD=abc': 'abc',
    'export DB_PASSWORD="a b"': 'a b',
    "password: 'abc'": 'abc',
    'password: abc # note': 'abc',
    '{"password": "abc"}': 'abc',
    '{\\"password\\": \\"abc\\"}': 'abc',
    '"password" => "abc"': 'abc',
    [`'password'${' '.repeat(72)}: 'abc'`]: 'abc',
    'password := `abc`': 'abc',
    'const password: string = "abc"': 'abc',
    'var password string = "abc"': 'abc',
    'password = b"abc"': 'abc',
    'password = String("abc")': 'abc',
    'setPassword("abc")': 'abc',
    'props.set("db.password", "abc")': 'abc',
    '<password>abc</password>': 'abc',
    '<password>\n  abc\n</password>': 'abc',
    '<add key="password" value="abc"/>': 'abc',
    '{"name": "password", "value": "abc"}': 'abc',
    '--password abc': 'abc',
    '-Password abc': 'abc',
    'ENV PASSWORD abc': 'abc',
    'the password is abc.': 'abc',
    'the password is now “a bc”': 'a bc',
    '${PASSWORD:-abc}': 'abc',
    'this.password ??= "abc"': 'abc',
    'getenv("PASSWORD") ?: "abc"': 'abc',
    '<Login password={"abc"} />': 'abc',
    '<Login\n  password={\n    `abc`\n  }\n/>': 'abc',
    'set {\n  name  = "PASSWORD"\n  value = "abc"\n}': 'abc',
    'process.env.PASSWORD || "abc"': 'abc',
    'os.getenv("PASSWORD") or "abc"': 'abc',
    '{user: a, password: abc}': 'abc',
    'let password = r#"a"bc"#;': 'a"bc',
    'const PASSWORD: &str = r##"a"#bc"##;': 'a"#bc',
    'std::string password = R"x(a)bc)x";': 'a)bc',
    'let password = #"abc"#': 'abc',
    'local password = [[abc]]': 'abc',
    'local password = [==[a]]bc]==]': 'a]]bc',
    'my $password = q{abc};': 'abc',
    'my $password = qq|abc|;': 'abc',
    'password = %q(a bc)': 'a bc',
    'set password {a bc}': 'a bc',
    'user=[x], password=[abc], port=[1]': 'abc',
    'args:\n  - --password\n  - abc\n': 'abc',
    'args:\n- "--password"\n- "a bc"\n': 'a bc',
    '+  - --password\n+  - abc\n': 'abc',
    '["--password",\n "abc"]': 'abc',
    '+["--password",\n+ "abc"]': 'abc',
    '-  "name": "password",\n-  "value": "abc"': 'abc',
    'https://x/?password=abc&next=1': 'abc',
    'password: a)b(c$d': 'a',
    'password: !B\\*d$z': '!B\\*d$z'
  }
  for (const [text, value] of Object.entries(written)) assert.equal(valueIn(text), value, text)
})

test('a string that a formatter put on the line below is the value', () => {
  const written: Record<string, string> = {
    'const password =\n  "a b";\n': 'a b',
    "  password:\n    'abc',\n": 'abc',
    '{\r\n  "password":\r\n    "abc"}\r\n': 'abc',
    'const password: string =\n\t"abc"': 'abc',
    'PASSWORD: str = (\n    "abc"\n)\n': 'abc',
    "'password' =>\n    'abc',\n": 'abc',
    '+const password =\n+  "abc";\n': 'abc'
  }
  for (const [text, value] of Object.entries(written)) assert.equal(valueIn(text), value, text)
  const others = ['password:\n  "abc": 1\n', 'password =\n\n  "abc"', 'password =\n"abc"', '+password =\n-  "abc"']
  for (const text of others) assert.notEqual(valueIn(text), 'abc', text)
})

test('an expression is not a value', () => {
  for (const text of [
    'password = getPassword()',
    'password = config[name]',
    'password.length',
    'password, user',
    'if (password == other)',
    'the password you typed',
    'password',
    'password = {',
    'set password {$value',
    '</password>\n  <port>7224</port>',
    '<password>\n  <port>7224</port>',
    'password = [[abc',
    'password = [config[1]]',
    'password = q{abc}.length',
    '- --password\n- --user\n',
    '["--password",\n+ "abc"]',
    '- --password\n    - abc\n',
    '+  - --password\n  - abc\n',
    'Password::new()'
  ])
    assert.equal(valueIn(text), undefined, text)
})

test('a reader that wants one operator stops at another', () => {
  assert.equal(
    assignment.read('password: abc', 0, 3, (operator) => operator === operators.equals),
    false
  )
})

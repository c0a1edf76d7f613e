/** How a value follows its name. */
export const operators = {
  none: 0,
  /** `=`, `:=`, `=>`, `==`, `||`, `?=`. */
  equals: 1,
  /** `:`. */
  colon: 2,
  /** `("name", "value")`. */
  comma: 3,
  /** `name("value")`. */
  call: 4,
  /** `<name>value</name>`. */
  element: 5,
  /** `name "value"`. */
  beside: 6,
  /** `--name value`, `-Name value`, `ENV NAME value`. */
  option: 7,
  /** `name is value`. */
  is: 8,
  /** `| name | value |`. */
  cell: 9,
  /** `name   value` on a line of its own. */
  column: 10,
  /** `name="name"`, an empty line, and the value on a line of its own (multipart). */
  part: 11,
  /** `<td>name</td><td>value</td>`. */
  tagged: 12
} as const
export type Operator = (typeof operators)[keyof typeof operators]

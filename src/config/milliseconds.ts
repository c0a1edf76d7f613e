/** The longest delay of a runtime timer: 2^31 - 1 milliseconds. A longer one would fire at once. */
export const timerMsMax = 2_147_483_647

/** The table entry of a variable that holds a duration. */
export const milliseconds = <Section extends string>(
  section: Section,
  value: number,
  min: number,
  description: string
) => ({ type: 'integer', unit: 'ms', min, max: timerMsMax, default: value, section, description }) as const

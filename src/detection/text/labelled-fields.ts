/** Members and attributes that hold the value which another one labels: `"name": "Tel.", "value": "612..."`. */

/** Their names, in lower case. */
export const holders: readonly string[] = [
  ...['value', 'val', 'content', 'text', 'answer', 'data', 'wert', 'valor', 'valeur', 'valore', 'waarde']
]
/** The length of the longest of these names, in code units. */
export const holderUnitsMax = Math.max(...holders.map((name) => name.length))

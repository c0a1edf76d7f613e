/** Members and attributes that hold the value which another one labels: `"name": "Tel.", "value": "612..."`. */

/** Their names, in lower case. */
export const holders: readonly string[] = [
  ...['value', 'val', 'content', 'text', 'answer', 'data', 'wert', 'valor', 'valeur', 'valore', 'waarde']
]
/** Names of members that hold a number of some document, in lower case and without joints. */
export const numberKeys: readonly string[] = [
  ...['number', 'num', 'no', 'nr', 'identifier', 'idnumber', 'idno', 'idvalue', 'identitynumber', 'personalnumber'],
  ...['identificationnumber', 'documentnumber', 'documentno', 'documentnum', 'documentid', 'docnumber', 'docno'],
  ...['numero', 'numerodocumento', 'nrodocumento', 'documento', 'nummer', 'idcardnumber']
]
/** Names of members that say of which document, or what a value is. */
export const typeKeys: readonly string[] = [
  ...['type', 'kind', 'documenttype', 'doctype', 'idtype', 'identitytype', 'identificationtype', 'identifiertype'],
  ...['typ', 'tipo', 'tipodocumento', 'documentkind', 'idkind', 'typecode', 'name', 'label', 'system']
]
/** The length of the longest of these names, in code units. */
export const holderUnitsMax = Math.max(...holders.map((name) => name.length))

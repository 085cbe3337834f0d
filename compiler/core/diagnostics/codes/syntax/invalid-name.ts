/**
 * `invalid-name`: a variable name with characters that are not allowed. Reported by `noteDiagnostic` (phases/parse/notes.ts) and
 * `invalidLettersDiagnostic` (phases/parse/notes.ts).
 */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

/** Returns the name with only allowed characters; null if no valid name remains. */
function plainName(name: string): string | null {
  const plainText = name
    .replace(/[äöüÄÖÜß]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w-]/g, '')
  return /^[A-Za-z_]/.test(plainText) && plainText !== name ? plainText : null
}

const LETTERS: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  ß: 'ss',
}

export const invalidName = message(
  'invalid-name',
  'error',
  'LiquidHTMLSyntaxError',
  (name: string) => {
    const plain = plainName(name)
    return {
      subject: { kind: 'variable', name },
      text: `${quote(name)} is not a valid name: only the letters a to z, digits, \`_\` and \`-\` are allowed.`,
      ...(plain === null
        ? {}
        : {
            hint: `Write \`${plain}\`.`,
            change: { edits: [{ target: 'file', part: name, every: true, text: plain }], safe: false },
          }),
    }
  },
  {
    wrong: '{% assign größe = 1 %}{{ größe }}',
    right: '{% assign groesse = 1 %}{{ groesse }}',
  },
)

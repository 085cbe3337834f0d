/** `invalid-name`: a variable name with letters that names cannot have. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

/** The name in letters that names can have; null where nothing is left of it. */
function plainName(name: string): string | null {
  const plain = name
    .replace(/[äöüÄÖÜß]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w-]/g, '')
  return /^[A-Za-z_]/.test(plain) && plain !== name ? plain : null
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
      text: `${quoted(name)} cannot be a name: names have the letters a to z, digits, \`_\` and \`-\`.`,
      ...(plain === null
        ? {}
        : {
            hint: `Write \`${plain}\`.`,
            change: { edits: [{ reach: 'file', part: name, every: true, text: plain }], safe: false },
          }),
    }
  },
  {
    wrong: '{% assign größe = 1 %}{{ größe }}',
    right: '{% assign groesse = 1 %}{{ groesse }}',
  },
)

/** `options` of a property that holds files: how they are kept, and which versions of pictures are made. */
import * as z from 'zod'
import { ignoredSetting } from '../../core/diagnostics/codes/settings/ignored-setting.ts'
import type { SourceFile } from '../../core/source/file.ts'
import { entryOf, type YamlEntry } from '../../core/source/yaml.ts'
import { flag, type Reporter, section, reportIssues, text } from './setting.ts'

const SIDES = 'top|right|bottom|left|center|centre|north|northeast|east|southeast|south|southwest|west|northwest'
const POSITION = new RegExp(`^(?:${SIDES}|entropy|attention|(?:left|right) (?:top|bottom))$`)
/** A name, hexadecimal digits, or `rgb()`. */
const COLOUR = /^(?:#[\da-f]{3,8}|rgba?\([\d\s.,%/]+\)|[a-z]+)$/i
const MOST_VERSIONS = 10

function numberBetween(least: number, most: number, whole = true): z.ZodType {
  const error = `a ${whole ? 'whole ' : ''}number from ${least} to ${most}`
  return (whole ? z.int({ error }) : z.number({ error })).min(least, { error }).max(most, { error })
}

// The server takes these words as they are.
function oneOf<const Words extends readonly [string, ...string[]]>(...words: Words): z.ZodType {
  return z.enum(words, { error: `one of ${words.map((each) => `\`${each}\``).join(', ')}` })
}

const kilobytes = z.number({ error: 'a number of kilobytes' }).nonnegative({ error: 'a number of kilobytes' })
const pixels = numberBetween(1, 20_000)
const boolean = z.boolean({ error: '`true` or `false`' })

const outputKeys = {
  format: {
    schema: oneOf('jpeg', 'jpg', 'png', 'webp', 'avif'),
    says: 'What it becomes; without it, it stays what it is.',
  },
  quality: { schema: numberBetween(0, 100), says: 'From 0 to 100: 80, and 85 of a JPEG.' },
  progressive: { schema: flag, says: 'Whether it gets clearer as it loads, as all do.', ignored: true },
} as const

const resizeKeys = {
  width: { schema: pixels, says: 'In pixels.' },
  height: { schema: pixels, says: 'In pixels.' },
  fit: { schema: oneOf('cover', 'contain', 'fill', 'inside', 'outside'), says: 'How it gets into the frame.' },
  position: {
    schema: z
      .string({ error: 'a side, a corner, `entropy` or `attention`' })
      .regex(POSITION, { error: 'a side such as `top`, a corner such as `left top`, `entropy` or `attention`' }),
    says: 'Which part stays.',
  },
  background: {
    schema: z
      .string({ error: 'a colour such as `red`, `#ffffff` or `rgb(255, 255, 255)`' })
      .regex(COLOUR, { error: 'a colour such as `red`, `#ffffff` or `rgb(255, 255, 255)`' }),
    says: 'The colour around it.',
  },
  without_enlargement: { schema: boolean, says: 'Whether smaller ones stay as they are.' },
} as const

const manipulateKeys = {
  greyscale: { schema: boolean, says: 'Whether its colours go.' },
  blur: { schema: numberBetween(0.3, 1_000, false), says: 'From 0.3 to 1000.' },
  flatten: {
    schema: z.union([boolean, z.string().regex(COLOUR), z.looseObject({})], {
      error: '`true`, or a colour such as `red`, `#ffffff` or `rgb(255, 255, 255)`',
    }),
    says: 'Whether nothing shines through: `true`, or the colour that stands behind it.',
  },
} as const

const versionKeys = {
  name: {
    schema: z
      .string({ error: 'a name of letters, digits, `_` and `-`' })
      .regex(/^[\w-]{1,64}$/, { error: 'a name of at most 64 letters, digits, `_` and `-`' }),
    says: 'What queries call it.',
  },
  output: { schema: section(outputKeys), below: outputKeys, says: 'What it is written as.' },
  resize: { schema: section(resizeKeys), below: resizeKeys, says: 'Its size.' },
  manipulate: { schema: section(manipulateKeys), below: manipulateKeys, says: 'What else is done to it.' },
} as const

const lengthKeys = {
  gte: { schema: kilobytes, says: 'At least.' },
  lte: { schema: kilobytes, says: 'At most.' },
} as const

/** The keys of `options`. */
export const uploadKeys = {
  acl: { schema: oneOf('public', 'private'), says: 'Who may read them.' },
  content_length: { schema: section(lengthKeys), below: lengthKeys, says: 'Their size in kilobytes.' },
  cache_control: { schema: text, says: 'How long browsers keep them.', ignored: true },
  content_disposition: { schema: oneOf('inline', 'attachment'), says: 'Whether browsers show them.', ignored: true },
  versions: {
    schema: z
      .array(section(versionKeys).required({ name: true }), { error: 'a list of versions' })
      .max(MOST_VERSIONS, { error: `at most ${MOST_VERSIONS} versions` }),
    below: versionKeys,
    says: 'Versions that are made of pictures, each a mapping.',
  },
} as const

const SCHEMA = section(uploadKeys)

/** Tells what the options of a property say that nothing understands, or that nothing goes by. The rest of them counts. */
export function checkUploadOptions(options: YamlEntry, file: SourceFile, report: Reporter): void {
  reportIssues(options, SCHEMA, 'property', file, report)
  for (const name of ['cache_control', 'content_disposition'] as const) {
    const entry = entryOf(options.value, name)
    if (entry !== undefined) report.add(ignoredSetting(entry.keySpan, name))
  }
}

/** Settings in `options` of a file property: how files are stored, and which versions of images are created. */
import * as z from 'zod'
import { ignoredSetting } from '../../core/diagnostics/codes/settings/ignored-setting.ts'
import type { SourceFile } from '../../core/source/file.ts'
import { entryOf, type YamlEntry } from '../../core/source/yaml.ts'
import { flag, type Reporter, section, reportIssues, text } from './setting.ts'

const SIDES = 'top|right|bottom|left|center|centre|north|northeast|east|southeast|south|southwest|west|northwest'
const POSITION = new RegExp(`^(?:${SIDES}|entropy|attention|(?:left|right) (?:top|bottom))$`)
/** A color name, hexadecimal digits, or `rgb()`. */
const COLOR = /^(?:#[\da-f]{3,8}|rgba?\([\d\s.,%/]+\)|[a-z]+)$/i
const MAX_VERSIONS = 10

function numberBetween(minimum: number, maximum: number, isWhole = true): z.ZodType {
  const error = `a ${isWhole ? 'whole ' : ''}number from ${minimum} to ${maximum}`
  return (isWhole ? z.int({ error }) : z.number({ error })).min(minimum, { error }).max(maximum, { error })
}

// The server uses these words unchanged.
function oneOf<const Words extends readonly [string, ...string[]]>(...words: Words): z.ZodType {
  return z.enum(words, { error: `one of ${words.map((each) => `\`${each}\``).join(', ')}` })
}

const kilobytes = z.number({ error: 'a number of kilobytes' }).nonnegative({ error: 'a number of kilobytes' })
const pixels = numberBetween(1, 20_000)
const boolean = z.boolean({ error: '`true` or `false`' })

const outputKeys = {
  format: {
    schema: oneOf('jpeg', 'jpg', 'png', 'webp', 'avif'),
    description: 'The output format. By default, the format does not change.',
  },
  quality: { schema: numberBetween(0, 100), description: 'From 0 to 100. The default is 80, or 85 for JPEG.' },
  progressive: { schema: flag, description: 'Ignored. Images are always progressive.', ignored: true },
} as const

const resizeKeys = {
  width: { schema: pixels, description: 'In pixels.' },
  height: { schema: pixels, description: 'In pixels.' },
  fit: {
    schema: oneOf('cover', 'contain', 'fill', 'inside', 'outside'),
    description: 'How the image is fitted into the size.',
  },
  position: {
    schema: z.string({ error: 'a side, a corner, `entropy` or `attention`' }).refine((value) => POSITION.test(value), {
      error: 'a side such as `top`, a corner such as `left top`, `entropy` or `attention`',
      params: { accepted: ['top', 'left top', 'entropy', 'attention'] },
    }),
    description: 'Which part of the image is kept.',
  },
  background: {
    schema: z
      .string({ error: 'a color such as `red`, `#ffffff` or `rgb(255, 255, 255)`' })
      .regex(COLOR, { error: 'a color such as `red`, `#ffffff` or `rgb(255, 255, 255)`' }),
    description: 'The background color.',
  },
  without_enlargement: { schema: boolean, description: 'With `true`, smaller images are not enlarged.' },
} as const

const manipulateKeys = {
  greyscale: { schema: boolean, description: 'Whether the image is converted to grayscale.' },
  blur: { schema: numberBetween(0.3, 1_000, false), description: 'The strength of the blur, from 0.3 to 1000.' },
  flatten: {
    schema: z.union([boolean, z.string().regex(COLOR), z.looseObject({})], {
      error: '`true`, or a color such as `red`, `#ffffff` or `rgb(255, 255, 255)`',
    }),
    description: 'Removes transparency: `true`, or the background color.',
  },
} as const

const versionKeys = {
  name: {
    schema: z
      .string({ error: 'a name of letters, digits, `_` and `-`' })
      .regex(/^[\w-]{1,64}$/, { error: 'a name of at most 64 letters, digits, `_` and `-`' }),
    description: 'The name of the version in queries.',
  },
  output: { schema: section(outputKeys), below: outputKeys, description: 'The output format.' },
  resize: { schema: section(resizeKeys), below: resizeKeys, description: 'Its size.' },
  manipulate: { schema: section(manipulateKeys), below: manipulateKeys, description: 'Further changes to the image.' },
} as const

const lengthKeys = {
  gte: { schema: kilobytes, description: 'The minimum size.' },
  lte: { schema: kilobytes, description: 'The maximum size.' },
} as const

/** The keys of `options`. */
export const uploadKeys = {
  acl: { schema: oneOf('public', 'private'), description: 'Who may read the files.' },
  content_length: {
    schema: section(lengthKeys),
    below: lengthKeys,
    description: 'The allowed file size in kilobytes.',
  },
  cache_control: { schema: text, description: 'Ignored. How long browsers cache the files.', ignored: true },
  content_disposition: {
    schema: oneOf('inline', 'attachment'),
    description: 'Ignored. Whether browsers show or download the files.',
    ignored: true,
  },
  versions: {
    schema: z
      .array(section(versionKeys).required({ name: true }), { error: 'a list of versions' })
      .max(MAX_VERSIONS, { error: `at most ${MAX_VERSIONS} versions` }),
    below: versionKeys,
    description: 'The versions of images to create. Each is a mapping.',
  },
} as const

const SCHEMA = section(uploadKeys)

/** Reports unknown or ignored options of a property. The valid options are still used. */
export function checkUploadOptions(options: YamlEntry, file: SourceFile, report: Reporter): void {
  reportIssues(options, SCHEMA, 'property', file, report)
  for (const name of ['cache_control', 'content_disposition'] as const) {
    const entry = entryOf(options.value, name)
    if (entry !== undefined) report.add(ignoredSetting(entry.keySpan, name))
  }
}

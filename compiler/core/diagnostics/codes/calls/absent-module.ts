/** `absent-module`: names of a module, or of an application, of which the site has no file. */
import { APPLICATION } from '../../absent-modules.ts'
import { message } from '../../diagnostic.ts'
import { listed, quoted } from '../../words.ts'

/** Names that are told; the rest is counted. */
const MOST = 10

function declaredIn(declared: { readonly path: string; readonly version: string } | null): string {
  if (declared === null) return ''
  const version = declared.version === '' ? '' : ` (${quoted(declared.version)})`
  return `${quoted(declared.path)} asks for it${version}. `
}

export const absentModule = message(
  'absent-module',
  'error',
  'AbsentModule',
  /** `declared`: the manifest that asks for it, and the versions that will do. */
  (
    module: string,
    names: readonly string[],
    declared: { readonly path: string; readonly version: string } | null = null,
  ) => {
    if (module === APPLICATION)
      return {
        text: `This folder has modules alone. The application around them is used for ${listed(names, MOST)}.`,
        hint: 'To have these names checked, put the modules into the folder of an application that uses them.',
      }
    const told = names.map((name) => name.slice(`modules/${module}/`.length))
    return {
      text: `The module ${quoted(module)} is not installed. It is used for ${listed(told, MOST)}.`,
      hint: `${declaredIn(declared)}Put its files into \`modules/${module}\`: \`ingot modules install ${module}\`.`,
    }
  },
  {
    wrong: `{% function _ = 'modules/core/helpers/log', data: 1 %}{{ 'modules/core/logo.svg' | asset_url }}`,
    right: {
      'app/views/pages/index.liquid': `{% function _ = 'modules/core/helpers/log', data: 1 %}`,
      'modules/core/public/lib/helpers/log.liquid': '{% return data %}',
    },
  },
)

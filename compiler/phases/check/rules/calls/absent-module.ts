/** `absent-module`: names from a module, or from an application, that is not installed. */
import { APPLICATION } from '../../../../core/diagnostics/absent-modules.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { joinWithAnd, quote } from '../../../../core/diagnostics/words.ts'

/** Maximum number of names that a message lists. Other names are only counted. */
const MAX_NAMES = 10

function declaredIn(declared: { readonly path: string; readonly version: string } | null): string {
  if (declared === null) return ''
  const version = declared.version === '' ? '' : ` (${quote(declared.version)})`
  return `${quote(declared.path)} requires the module${version}. `
}

export const absentModule = message(
  'absent-module',
  'error',
  'AbsentModule',
  /** `declared`: the manifest that requires the module, and its version range. */
  (
    module: string,
    names: readonly string[],
    declared: { readonly path: string; readonly version: string } | null = null,
  ) => {
    if (module === APPLICATION)
      return {
        text: `This folder contains only modules, not their application. So these names are unknown: ${joinWithAnd(names, MAX_NAMES)}.`,
        hint: 'To check these names, put the modules into the folder of an application.',
      }
    const localNames = names.map((name) => name.slice(`modules/${module}/`.length))
    return {
      text: `The module ${quote(module)} is not installed, so these names are unknown: ${joinWithAnd(localNames, MAX_NAMES)}.`,
      hint: `${declaredIn(declared)}Install the module into \`modules/${module}\` with \`ingot modules install ${module}\`.`,
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

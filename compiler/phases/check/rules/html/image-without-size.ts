/** `image-without-size`: an image whose size is unknown until it is loaded. */
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { joinWithAnd } from '../../../../core/diagnostics/words.ts'
import type { HtmlScan } from '../../walk/html.ts'
import type { SourceFile } from '../../../../core/source/file.ts'

export const imageWithoutSize = message(
  'image-without-size',
  'info',
  'ImgWidthAndHeight',
  (missingNames: Iterable<string>) => ({
    text: `This image has no ${joinWithAnd(missingNames)}, so the page layout shifts when it loads.`,
  }),
  {
    wrong: '<img src="/assets/a.png" alt="">',
    right: '<img src="/assets/a.png" alt="" width="10" height="10">',
    both: { 'app/assets/a.png': '' },
  },
)

/** Reports images without a width or a height, except in emails: mail programs have other requirements than browsers. */
export function checkImages({ elements }: HtmlScan, { kind }: SourceFile): readonly Diagnostic[] {
  if (kind === 'email') return []
  return elements.flatMap(({ name, attributes, dynamic, span }) => {
    if (name !== 'img' || dynamic) return []
    const missingNames = ['width', 'height'].filter((each) => !attributes.has(each))
    return missingNames.length === 0 ? [] : [imageWithoutSize(span, missingNames)]
  })
}

/** `image-without-size`: an image whose size is unknown until it is loaded. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { joinWithAnd } from '../../../../core/diagnostics/words.ts'

export const imageWithoutSize = message(
  'image-without-size',
  'info',
  'ImgWidthAndHeight',
  (missingNames: Iterable<string>) => ({
    text: `This image has no ${joinWithAnd(missingNames)}, so the page layout shifts when it loads.`,
  }),
  {
    wrong: { 'app/views/pages/index.liquid': '<img src="/assets/a.png" alt="">', 'app/assets/a.png': '' },
    right: {
      'app/views/pages/index.liquid': '<img src="/assets/a.png" alt="" width="10" height="10">',
      'app/assets/a.png': '',
    },
  },
)

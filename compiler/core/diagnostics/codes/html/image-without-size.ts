/** `image-without-size`: an image whose place is unknown until it is loaded. */
import { message } from '../../diagnostic.ts'
import { listed } from '../../words.ts'

export const imageWithoutSize = message(
  'image-without-size',
  'info',
  'ImgWidthAndHeight',
  (missing: Iterable<string>) => ({
    text: `This image has no ${listed(missing)}, so the page moves when it is loaded.`,
  }),
  {
    wrong: { 'app/views/pages/index.liquid': '<img src="/assets/a.png" alt="">', 'app/assets/a.png': '' },
    right: {
      'app/views/pages/index.liquid': '<img src="/assets/a.png" alt="" width="10" height="10">',
      'app/assets/a.png': '',
    },
  },
)

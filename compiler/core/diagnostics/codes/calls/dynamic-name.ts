/** `dynamic-name`: a computed name, which opens every unit it can mean to untyped calls. `units` is null when it can mean any. */
import { message } from '../../diagnostic.ts'
import { counted } from '../../words.ts'

export const dynamicName = message(
  'dynamic-name',
  'info',
  'DynamicName',
  (units: number | null) => ({
    text:
      units === null
        ? 'This computed name can mean every partial, so the calls of all of them are checked less.'
        : `This computed name can mean ${counted(units, 'partial')}, whose calls are checked less.`,
    hint: 'A name that begins or ends with a fixed text narrows it.',
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% include context.params.a %}{% render 'card' %}`,
      'app/views/partials/card.liquid': 'x',
    },
    right: { 'app/views/pages/index.liquid': `{% render 'card' %}`, 'app/views/partials/card.liquid': 'x' },
  },
)

/** `filter-without-effect`: a filter in a place where filters are ignored. Reported by `noteDiagnostic` (phases/parse/notes.ts). */
import { message } from '../../diagnostic.ts'

export const filterWithoutEffect = message(
  'filter-without-effect',
  'warning',
  'FilterWithoutEffect',
  (place: string) => ({
    text: `This filter has no effect: filters are not applied in ${place}.`,
    hint: 'Assign the filtered value to a variable first.',
  }),
  {
    wrong: `{% cache 'k' | upcase %}x{% endcache %}`,
    right: `{% cache 'K' %}x{% endcache %}`,
  },
)

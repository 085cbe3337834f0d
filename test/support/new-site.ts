/** The site of the template `blank`, which many tests extend. */
import { newSite } from '../../compiler/tools/templates/templates.ts'

export const NEW_SITE = newSite()

/** `admin_form_create`: creates a form. */
import { siteChange } from '../site/site-change.ts'

export const admin_form_create = siteChange('admin_form_create(form: FormInput!): Form @deprecated', 'form', 'create')

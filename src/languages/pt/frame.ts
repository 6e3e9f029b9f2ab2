/** Texts of the dashboard in Portuguese: every page: menu, forms, notices, signing in, and the user’s own account. */
import type { frame as english } from '../en/frame.ts'

export const frame: Readonly<Record<keyof typeof english, string>> = {
  save: 'Guardar',
  'account.title': 'O seu acesso',
  'account.language': 'Idioma',
  'account.language.browser': 'O do navegador',
}

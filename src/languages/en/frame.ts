/** Texts of the dashboard in English: every page: menu, forms, notices, signing in, and the user’s own account. */
export const frame = {
  save: 'Save',
  'account.title': 'Your sign-in',
  'account.language': 'Language',
  'account.language.browser': 'That of the browser',
} as const

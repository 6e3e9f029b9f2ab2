/** Texts of the dashboard in English: partners, users and the business. */
export const settings = {
  'users.title': 'Users',
  'users.nothing-changed': 'Nothing was changed: {fault}.',
  'users.invite.title': 'Invite somebody',
  'users.invited': '{email} is invited and signs in to {account} with this password.',
  'users.password-changed': '{email} is signed out everywhere, and signs in with this password from now on.',
  'users.role-about.owner': 'Owner: everything',
  'users.role-about.staff':
    'Staff: everything but reports, users, partners, keys, webhooks, health and secrets',
  'users.role.owner': 'owner',
  'users.role.staff': 'staff',
  'users.you': 'you',
  'users.disabled': 'disabled',
  'users.since': '{role}, since {since}',
  'users.role': 'Role',
  'users.role.of': 'Role of {email}',
  'users.role.change': 'Change role',
  'users.role.change-of': 'Change role of {email}',
  'users.enable': 'Enable',
  'users.disable': 'Disable',
  'users.disable.question': 'Disable {email}? They are signed out everywhere at once.',
  'users.password': 'New password',
  'users.password.question': 'Give {email} another password? The one they have stops working.',
  'users.invite.hint':
    'A password is made and shown to you once: hand it on, and have it changed under “Your sign-in”.',
  'users.invite': 'Invite',
  'users.action-for': '{action}: {email}',
} as const

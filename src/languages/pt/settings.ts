/** Texts of the dashboard in Portuguese: partners, users and the business. */
import type { settings as english } from '../en/settings.ts'

export const settings: Readonly<Record<keyof typeof english, string>> = {
  'users.title': 'Utilizadores',
  'users.nothing-changed': 'Nada foi alterado: {fault}.',
  'users.invite.title': 'Convidar alguém',
  'users.invited': '{email} foi convidado e entra em {account} com esta palavra-passe.',
  'users.password-changed':
    '{email} foi desligado em todos os dispositivos e passa a entrar com esta palavra-passe.',
  'users.role-about.owner': 'Proprietário: tudo',
  'users.role-about.staff':
    'Equipa: tudo exceto relatórios, utilizadores, parceiros, chaves, webhooks, estado e segredos',
  'users.role.owner': 'proprietário',
  'users.role.staff': 'equipa',
  'users.you': 'o próprio',
  'users.disabled': 'desativado',
  'users.since': '{role}, desde {since}',
  'users.role': 'Função',
  'users.role.of': 'Função de {email}',
  'users.role.change': 'Mudar a função',
  'users.role.change-of': 'Mudar a função de {email}',
  'users.enable': 'Ativar',
  'users.disable': 'Desativar',
  'users.disable.question': 'Desativar {email}? Fica imediatamente desligado em todos os dispositivos.',
  'users.password': 'Nova palavra-passe',
  'users.password.question': 'Dar outra palavra-passe a {email}? A atual deixa de funcionar.',
  'users.invite.hint':
    'É criada uma palavra-passe, que lhe é mostrada uma única vez: entregue-a e peça que a mudem em “O seu acesso”.',
  'users.invite': 'Convidar',
  'users.action-for': '{action}: {email}',
}

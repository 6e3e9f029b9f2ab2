/** Texts of the dashboard in Portuguese: users, and the list of settings. */
import type { settings as english } from '../en/settings.ts'

export const settings: Readonly<Record<keyof typeof english, string>> = {
  'users.title': 'Utilizadores',
  'users.nothing-changed': 'Nada foi alterado: {fault}.',
  'users.invite.title': 'Adicionar alguém',
  'users.invited': '{email} foi adicionado e inicia sessão em {account} com esta palavra-passe.',
  'users.password-changed':
    'As sessões de {email} terminaram em todos os dispositivos; a partir de agora inicia sessão com esta palavra-passe.',
  'users.role-about.owner': 'Proprietário: tudo',
  'users.role-about.staff':
    'Colaborador: tudo exceto relatórios, utilizadores, parceiros, chaves, segredos, webhooks, estado do serviço, definições, dinheiro fora das caixas, e exportar ou apagar os dados de clientes',
  'users.role.owner': 'proprietário',
  'users.role.staff': 'colaborador',
  'users.you': 'o seu acesso',
  'users.disabled': 'desativado',
  'users.since': '{role}, desde {since}',
  'users.role': 'Função',
  'users.role.of': 'Função de {email}',
  'users.role.change': 'Mudar a função',
  'users.role.change-of': 'Mudar a função de {email}',
  'users.last-owner':
    'Nenhum outro proprietário pode iniciar sessão. Para mudar a função deste utilizador, torne primeiro outro utilizador proprietário.',
  'users.enable': 'Ativar',
  'users.disable': 'Desativar',
  'users.disable.question':
    'Desativar {email}? As sessões desse utilizador terminam de imediato em todos os dispositivos.',
  'users.password': 'Nova palavra-passe',
  'users.password.question': 'Dar uma nova palavra-passe a {email}? A atual deixa de funcionar.',
  'users.invite.hint':
    'É criada uma palavra-passe, que lhe é mostrada uma única vez: entregue-a e peça que a mudem em “O seu acesso”.',
  'users.invite': 'Adicionar',
  'users.action-for': '{action}: {email}',
  'settings.business':
    'Nome, morada, idioma, cor e logótipo nos recibos, nas páginas dos clientes e nos e-mails.',
  'settings.payment':
    'A página de pagamento e o contacto para os clientes que aceitam uma oferta da lista de espera.',
  'settings.workflows': 'Que e-mails os clientes recebem, e o texto de cada um.',
  'settings.feeds': 'Os seus horários e reservas no calendário de um telemóvel ou computador.',
  'settings.account': 'A sua palavra-passe e o seu idioma, e o país da conta para os números de telefone.',
}

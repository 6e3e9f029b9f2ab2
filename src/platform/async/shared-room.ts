/** Room that many share, such as bytes of memory. Who holds much of it leaves room to those who hold little. */

export type SharedRoom = {
  /** How much is held now. */
  held(): number
  /**
   * Holds `amount` for a member of a group. `over-share`: refused because the group and the member hold too much
   * already; `full`: refused because there is not as much room.
   */
  take(group: string, member: string, amount: number): Holding | 'over-share' | 'full'
}

export type Holding = {
  /** Gives back all but `amount`; nothing when no more is held. */
  lessenTo(amount: number): void
}

/**
 * A group may hold as much as it leaves free; of that, each member as much as it leaves to the other members. So a
 * group alone holds at most half of all room, and a member alone a third. A group that holds nothing gets what is free.
 */
export function createSharedRoom(capacity: number): SharedRoom {
  const groups = new Map<string, number>()
  const members = new Map<string, number>()
  let held = 0

  function change(group: string, member: string, amount: number): void {
    held += amount
    add(groups, group, amount)
    add(members, member, amount)
  }

  return {
    held: () => held,
    take(group, member, amount) {
      const free = capacity - held
      if (amount > free) return 'full'
      const ofGroup = groups.get(group) ?? 0
      const ofMember = members.get(member) ?? 0
      if (ofGroup > 0 && ofGroup + ofMember + amount > free) return 'over-share'
      change(group, member, amount)
      let own = amount
      return {
        lessenTo(amount) {
          if (amount >= own) return
          change(group, member, amount - own)
          own = amount
        },
      }
    },
  }
}

function add(amounts: Map<string, number>, name: string, amount: number): void {
  const sum = (amounts.get(name) ?? 0) + amount
  if (sum > 0) amounts.set(name, sum)
  else amounts.delete(name)
}

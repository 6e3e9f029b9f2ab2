/**
 * A limited amount, such as bytes of memory, that many members share. A member that holds much leaves room
 * for members that hold little.
 */

export type SharedRoom = {
  /** How much is held at the moment. */
  held(): number
  /**
   * Reserves `amount` for a member of a group. Returns `full` if less than `amount` is free, and `over-share`
   * if the group and the member already hold too much.
   */
  take(group: string, member: string, amount: number): Holding | 'over-share' | 'full'
}

export type Holding = {
  /** Reduces this holding to `amount`. Does nothing if it is not larger than `amount`. */
  lessenTo(amount: number): void
}

/**
 * A group that holds nothing may take all that is free. Otherwise, the sum of the group's amount, the
 * member's amount and the new amount must not exceed what is free before the call. So with small amounts, one
 * group alone gets half of the capacity, and one member alone a third.
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

import { and, asc, count, eq, inArray, isNull, ne, type SQL } from "drizzle-orm";
import { type Page, type PageQuery, readPage } from "../../../kernel/page";
import { changeRow, insertRow, insertRows } from "../../../kernel/storage/rows";
import type { Work } from "../../../kernel/work";
import { type MembershipRow, memberships, type UserRow, users } from "../table";
import { type EnvironmentRole, environmentRoles, invitations, type RoleRow, roles } from "./table";

/** A membership with its user and its environment roles. */
export interface Member extends MembershipRow {
	readonly user: UserRow;
	readonly environmentRoles: readonly EnvironmentRole[];
}

const inAccount = ({ actor }: Work): SQL => eq(memberships.accountId, actor.accountId);

const membersWhere = (work: Work, where: SQL | undefined) =>
	work.tx
		.select({ membership: memberships, user: users })
		.from(memberships)
		.innerJoin(users, eq(users.id, memberships.userId))
		.where(where);

function whole(work: Work, found: ReadonlyArray<{ membership: MembershipRow; user: UserRow }>): Member[] {
	const others = environmentRolesOf(
		work,
		found.map(({ membership }) => membership.id),
	);
	return found.map(({ membership, user }) => ({
		...membership,
		user,
		environmentRoles: others.get(membership.id) ?? [],
	}));
}

export function environmentRolesOf(work: Work, membershipIds: readonly string[]): Map<string, EnvironmentRole[]> {
	const found = new Map<string, EnvironmentRole[]>();
	if (membershipIds.length === 0) return found;
	const rows = work.tx
		.select()
		.from(environmentRoles)
		.where(inArray(environmentRoles.membershipId, [...membershipIds]))
		.orderBy(asc(environmentRoles.membershipId), asc(environmentRoles.environmentId))
		.all();
	for (const { membershipId, environmentId, role } of rows)
		found.set(membershipId, [...(found.get(membershipId) ?? []), { environmentId, role }]);
	return found;
}

/** Searches the caller's account. */
export const findMember = (work: Work, id: string): Member | undefined =>
	whole(work, membersWhere(work, and(inAccount(work), eq(memberships.id, id))).all())[0];

export const findMemberOfUser = (work: Work, userId: string): Member | undefined =>
	whole(work, membersWhere(work, and(inAccount(work), eq(memberships.userId, userId))).all())[0];

export const pageMembers = (work: Work, page: PageQuery): Page<Member> =>
	readPage(
		page,
		memberships.id,
		(cursor) => findMember(work, cursor) !== undefined,
		(beyondCursor, order, rowsMax) =>
			whole(
				work,
				membersWhere(work, and(inAccount(work), beyondCursor))
					.orderBy(order)
					.limit(rowsMax)
					.all(),
			),
	);

/** Returns the number of other owners of the caller's account who can sign in. */
export const countOtherOwners = (work: Work, id: string): number =>
	work.tx
		.select({ rows: count() })
		.from(memberships)
		.where(
			and(inAccount(work), eq(memberships.role, "OWNER"), isNull(memberships.deactivatedAt), ne(memberships.id, id)),
		)
		.get()?.rows ?? 0;

export const saveMembership = (
	work: Work,
	id: string,
	changes: Partial<Pick<MembershipRow, "role" | "deactivatedAt">>,
): MembershipRow => changeRow(work, memberships, id, changes);

export function replaceEnvironmentRoles(work: Work, membershipId: string, wanted: readonly EnvironmentRole[]): void {
	work.tx.delete(environmentRoles).where(eq(environmentRoles.membershipId, membershipId)).run();
	insertRows(
		work,
		environmentRoles,
		wanted.map(({ environmentId, role }) => ({ membershipId, environmentId, role })),
	);
}

export function deleteMembership(work: Work, id: string): void {
	work.tx.delete(environmentRoles).where(eq(environmentRoles.membershipId, id)).run();
	work.tx.delete(memberships).where(eq(memberships.id, id)).run();
}

export const findRole = (work: Work, accountId: string, id: string): RoleRow | undefined =>
	work.tx
		.select()
		.from(roles)
		.where(and(eq(roles.accountId, accountId), eq(roles.id, id)))
		.get();

export const findRoleByName = (work: Work, name: string): RoleRow | undefined =>
	work.tx
		.select()
		.from(roles)
		.where(and(eq(roles.accountId, work.actor.accountId), eq(roles.name, name)))
		.get();

export const listCustomRoles = (work: Work): RoleRow[] =>
	work.tx.select().from(roles).where(eq(roles.accountId, work.actor.accountId)).orderBy(asc(roles.name)).all();

export const insertRole = (work: Work, role: Pick<RoleRow, "name" | "scopes">): RoleRow =>
	insertRow(work, roles, { ...role, id: work.newId(), accountId: work.actor.accountId, createdAt: work.machineNow });

export const saveRole = (work: Work, id: string, changes: Partial<Pick<RoleRow, "name" | "scopes">>): RoleRow =>
	changeRow(work, roles, id, changes);

export const deleteRoleRow = (work: Work, id: string): void => void work.tx.delete(roles).where(eq(roles.id, id)).run();

/** Returns the number of members and invitations of the caller's account that have the role. */
export function countHolders(work: Work, role: string): number {
	const everywhere = work.tx
		.select({ rows: count() })
		.from(memberships)
		.where(and(inAccount(work), eq(memberships.role, role)))
		.get();
	const somewhere = work.tx
		.select({ rows: count() })
		.from(environmentRoles)
		.where(eq(environmentRoles.role, role))
		.get();
	const invited = work.tx.select().from(invitations).where(eq(invitations.accountId, work.actor.accountId)).all();
	const invitedWith = invited.filter((one) => one.role === role || one.environmentRoles.some((at) => at.role === role));
	return (everywhere?.rows ?? 0) + (somewhere?.rows ?? 0) + invitedWith.length;
}

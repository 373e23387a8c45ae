import { and, eq, inArray, lte } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import { type Page, type PageQuery, readPage } from "../../../kernel/page";
import { insertRow } from "../../../kernel/storage/rows";
import type { Work } from "../../../kernel/work";
import { users } from "../table";
import { type InvitationRow, invitations } from "./table";

/** The invitation with the inviter's email address. */
export interface Invited extends InvitationRow {
	readonly invitedBy: string | null;
}

const inAccount = ({ actor }: Work) => eq(invitations.accountId, actor.accountId);

const selected = (work: Work) =>
	work.tx
		.select({ invitation: invitations, invitedBy: users.email })
		.from(invitations)
		.leftJoin(users, eq(users.id, invitations.invitedById));

const whole = ({ invitation, invitedBy }: { invitation: InvitationRow; invitedBy: string | null }): Invited => ({
	...invitation,
	invitedBy,
});

export function findInvitation(work: Work, id: string): Invited | undefined {
	const found = selected(work)
		.where(and(inAccount(work), eq(invitations.id, id)))
		.get();
	return found && whole(found);
}

export const findInvitationOf = (work: Work, email: string): InvitationRow | undefined =>
	work.tx
		.select()
		.from(invitations)
		.where(and(inAccount(work), eq(invitations.email, email)))
		.get();

/** Searches all accounts, because only the token is known. */
export const findInvitationByHash = (work: Work, tokenHash: string): InvitationRow | undefined =>
	work.tx.select().from(invitations).where(eq(invitations.tokenHash, tokenHash)).get();

export const pageInvitations = (work: Work, page: PageQuery): Page<Invited> =>
	readPage(
		page,
		invitations.id,
		(cursor) => findInvitation(work, cursor) !== undefined,
		(beyondCursor, order, rowsMax) =>
			selected(work)
				.where(and(inAccount(work), beyondCursor))
				.orderBy(order)
				.limit(rowsMax)
				.all()
				.map(whole),
	);

export const insertInvitation = (
	work: Work,
	invitation: Omit<InvitationRow, "id" | "accountId" | "createdAt">,
): InvitationRow =>
	insertRow(work, invitations, {
		...{ id: work.newId(), accountId: work.actor.accountId, createdAt: work.machineNow },
		...invitation,
	});

export const deleteInvitationRow = (work: Work, id: string): void =>
	void work.tx.delete(invitations).where(eq(invitations.id, id)).run();

/** An address has one invitation; a new one replaces it. */
export const deleteInvitationsOf = (work: Work, email: string): void =>
	void work.tx
		.delete(invitations)
		.where(and(inAccount(work), eq(invitations.email, email)))
		.run();

export const deleteInvitationsBy = (work: Work, userId: string): void =>
	void work.tx
		.delete(invitations)
		.where(and(inAccount(work), eq(invitations.invitedById, userId)))
		.run();

/** Returns the number of deleted rows. */
export function deleteInvitationsBefore(work: Work, before: Instant, rowsMax: number): number {
	const piece = work.tx
		.select({ id: invitations.id })
		.from(invitations)
		.where(lte(invitations.expiresAt, before))
		.limit(rowsMax);
	return work.tx.delete(invitations).where(inArray(invitations.id, piece)).returning({ id: invitations.id }).all()
		.length;
}

import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { assert } from "../../../kernel/errors";
import { viewPage } from "../../../kernel/page";
import { answer, listOf, RefId, single } from "../../../kernel/schema";
import { invitationMail } from "../../../mail/messages";
import { queueMail } from "../../../mail/operations";
import type { Services } from "../../../server/context";
import { findAccount } from "../operations";
import { linkTo } from "../rules.links";
import { memberOperations, roleOperations } from "./openapi";
import { listMembers, removeMember, updateMember } from "./operations";
import { createInvitation, deleteInvitation, listInvitations } from "./operations.invitations";
import { createRole, deleteRole, listCustomRoles, updateRole } from "./operations.roles";
import {
	Invitation,
	InvitationCreate,
	InvitationWithLink,
	MemberListQuery,
	MemberUpdate,
	MemberView,
	RoleCreate,
	RoleUpdate,
	RoleView,
} from "./schema";
import { viewInvitation, viewMember, viewRole, viewRoles } from "./view";

const params = Type.Object({ id: RefId });
const read = "MEMBER:READ";
const write = "MEMBER:WRITE";

/** An addition to the interface: the members of an account. */
export const memberRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/members", tags: ["Members"], normalize: false })
		.use(identity(services, "account"))
		.get("", ({ read, query }) => read((work) => viewPage(listMembers(work, query), viewMember)), {
			detail: memberOperations.list,
			permit: read,
			query: MemberListQuery,
			response: listOf(MemberView),
		})
		.get(
			"/invitations",
			({ read, query }) => read((work) => viewPage(listInvitations(work, query), (one) => viewInvitation(work, one))),
			{
				detail: memberOperations.listInvitations,
				permit: read,
				query: MemberListQuery,
				response: listOf(Invitation),
			},
		)
		.post(
			"/invitations",
			({ create, body }) =>
				create((work) => {
					const { invitation, token } = createInvitation(work, body);
					const link = linkTo(services.api.publicUrl, "accept-invitation", token);
					const { email: to, invitedBy, expiresAt, accountId } = invitation;
					const account = findAccount(work, accountId);
					assert(account, "an invitation has its account");
					const mail = { to, accountName: account.name, invitedBy, link, expiresAt };
					if (services.api.mail) queueMail(work, services.outgoing.folderSecret, invitationMail(mail));
					return { data: { ...viewInvitation(work, invitation), token, link } };
				}),
			{
				detail: memberOperations.invite,
				permit: write,
				body: InvitationCreate,
				response: { 201: single(InvitationWithLink) },
			},
		)
		.delete(
			"/invitations/:id",
			({ write, params: { id } }) => write((work) => ({ data: viewInvitation(work, deleteInvitation(work, id)) })),
			{ detail: memberOperations.deleteInvitation, permit: write, params, response: single(Invitation) },
		)
		.patch(
			"/:id",
			({ write, params: { id }, body: { status, ...changes } }) =>
				write((work) => {
					const isActive = status === undefined ? undefined : status === "ACTIVE";
					return { data: viewMember(updateMember(work, id, { ...changes, isActive })) };
				}),
			{ detail: memberOperations.update, permit: write, params, body: MemberUpdate, response: single(MemberView) },
		)
		.delete("/:id", ({ write, params: { id } }) => write((work) => ({ data: viewMember(removeMember(work, id)) })), {
			detail: memberOperations.remove,
			permit: write,
			params,
			response: single(MemberView),
		});

const scopesOf = (scopes: Static<typeof RoleCreate>["scopes"]) =>
	scopes.map(({ resource, action }) => `${resource}:${action}` as const);

export const roleRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/roles", tags: ["Members"], normalize: false })
		.use(identity(services, "account"))
		.get("", ({ read }) => read((work) => ({ data: viewRoles(listCustomRoles(work)) })), {
			detail: roleOperations.list,
			permit: read,
			response: answer(Type.Object({ data: Type.Array(RoleView) })),
		})
		.post(
			"",
			({ create, body: { name, scopes } }) =>
				create((work) => ({ data: viewRole(createRole(work, { name, scopes: scopesOf(scopes) })) })),
			{ detail: roleOperations.create, permit: write, body: RoleCreate, response: { 201: single(RoleView) } },
		)
		.patch(
			"/:id",
			({ write, params: { id }, body: { scopes, ...body } }) =>
				write((work) => {
					const changes = { ...body, ...(scopes && { scopes: scopesOf(scopes) }) };
					return { data: viewRole(updateRole(work, id, changes)) };
				}),
			{ detail: roleOperations.update, permit: write, params, body: RoleUpdate, response: single(RoleView) },
		)
		.delete("/:id", ({ write, params: { id } }) => write((work) => ({ data: viewRole(deleteRole(work, id)) })), {
			detail: roleOperations.delete,
			permit: write,
			params,
			response: single(RoleView),
		});

import type { Static } from "@sinclair/typebox";
import { useState } from "react";
import {
	type Invitation,
	InvitationCreate,
	type InvitationWithLink,
	type MemberView,
	type RoleView,
} from "../../../areas/access/members/schema";
import { ConfirmButton, confirmation } from "../../kit/dialog";
import { FormButton } from "../../kit/forms/form-dialog";
import { useOne } from "../../kit/list";
import { ListCard } from "../../kit/list-card";
import { Secret } from "../../kit/secret";
import { statusColumn } from "../../kit/table";
import { Ago, namedOptions } from "../../kit/values";
import { t } from "../../messages/access/people";
import { may } from "../../session";

type Sent = Static<typeof InvitationWithLink>;

export function People() {
	const { data: roles = [] } = useOne<RoleView[]>("/roles");
	const [sent, setSent] = useState<Sent>();
	const nameOf = (role: string | null) => roles.find(({ id }) => id === role)?.name ?? role ?? "–";
	const mayWrite = may("MEMBER:WRITE");
	// The form takes its initial role when it opens, so it opens only once the roles are known.
	const invite = mayWrite && roles.length > 0 && (
		<FormButton
			label={t.invite}
			title={t.inviteTitle}
			isMain
			to={["POST", "/members/invitations"]}
			schema={InvitationCreate}
			texts={t}
			initial={{ role: roles.at(-1)?.id }}
			fields={["email", { name: "role", kind: "select", options: namedOptions(roles) }]}
			action={t.invite}
			onDone={(invitation: Sent) => setSent(invitation)}
		/>
	);
	return (
		<>
			<ListCard<MemberView>
				title={t.people}
				text={t.text}
				path="/members"
				actions={invite}
				columns={[
					{ head: t.person, cell: ({ name, email }) => name ?? email },
					{ head: t.email, isWide: true, cell: ({ email }) => email },
					{ head: t.role, cell: ({ role }) => nameOf(role) },
					statusColumn,
					{ head: t.since, isWide: true, cell: ({ createdAt }) => <Ago at={createdAt} isMachineTime /> },
					{ head: t.actions, cell: (member) => mayWrite && <Activation member={member} /> },
				]}
			/>
			<ListCard<Invitation>
				title={t.invitations}
				text={t.invitationsText}
				path="/members/invitations"
				isHiddenEmpty
				columns={[
					{ head: t.email, cell: ({ email }) => email },
					{ head: t.role, cell: ({ role }) => nameOf(role) },
					statusColumn,
					{ head: t.invitedBy, isWide: true, cell: ({ invitedBy }) => invitedBy ?? "–" },
					{ head: t.ends, isWide: true, cell: ({ expireAt }) => <Ago at={expireAt} isMachineTime /> },
					{ head: t.actions, cell: (invitation) => mayWrite && <Withdrawal invitation={invitation} /> },
				]}
			/>
			<Secret
				title={t.linkTitle}
				text={t.linkText}
				secrets={sent && { [sent.email]: new URL(sent.link, location.origin).href }}
				onClose={() => setSent(undefined)}
			/>
		</>
	);
}

function Activation({ member: { id, email, status } }: { readonly member: MemberView }) {
	const isActive = status === "ACTIVE";
	return (
		<ConfirmButton
			{...confirmation(t, isActive ? "deactivate" : "activate", { email })}
			isDanger={isActive}
			perform={["PATCH", `/members/${id}`, { status: isActive ? "DEACTIVATED" : "ACTIVE" }]}
		/>
	);
}

const Withdrawal = ({ invitation: { id, email } }: { readonly invitation: Invitation }) => (
	<ConfirmButton
		{...confirmation(t, "withdraw", { email })}
		isDanger
		perform={["DELETE", `/members/invitations/${id}`]}
	/>
);

import type { Static } from "@sinclair/typebox";
import { useState } from "react";
import type { Invitation, InvitationWithLink, MemberView, RoleView } from "../../../areas/access/members/schema";
import { send } from "../../api";
import { ConfirmButton, Dialog } from "../../kit/dialog";
import { Form, SelectField, TextField } from "../../kit/form";
import { useList, useOne } from "../../kit/list";
import { Ago } from "../../kit/money";
import { Card } from "../../kit/page";
import { Secret } from "../../kit/secret";
import { Status } from "../../kit/status";
import { ListTable } from "../../kit/table";
import { t } from "../../messages/people";
import { may } from "../../session";

export function People() {
	const list = useList<MemberView>("/members");
	const { data: roles = [] } = useOne<RoleView[]>("/roles");
	const [isInviting, setInviting] = useState(false);
	const [sent, setSent] = useState<Static<typeof InvitationWithLink>>();
	const nameOf = (role: string | null) => roles.find(({ id }) => id === role)?.name ?? role ?? "–";
	const mayWrite = may("MEMBER:WRITE");
	const invite = mayWrite && (
		<button type="button" className="solid" onClick={() => setInviting(true)}>
			{t.invite}
		</button>
	);
	return (
		<>
			<Card isFlush title={t.people} text={t.text} actions={invite}>
				<ListTable
					label={t.people}
					list={list}
					rowKey={({ id }) => id}
					empty={{ title: t.none }}
					columns={[
						{ head: t.person, cell: ({ name, email }) => name ?? email },
						{ head: t.email, isWide: true, cell: ({ email }) => email },
						{ head: t.role, cell: ({ role }) => nameOf(role) },
						{ head: t.status, cell: ({ status }) => <Status of={status} /> },
						{ head: t.since, isWide: true, cell: ({ createdAt }) => <Ago at={createdAt} isMachineTime /> },
						{ head: t.actions, cell: (member) => mayWrite && <Standing member={member} /> },
					]}
				/>
			</Card>
			<Invitations nameOf={nameOf} />
			<Dialog title={t.inviteTitle} isOpen={isInviting} onClose={() => setInviting(false)}>
				<Form
					action={t.invite}
					initial={{ role: roles.at(-1)?.id }}
					onCancel={() => setInviting(false)}
					submit={(body) => send("POST", "/members/invitations", body)}
					onDone={({ data }: { data: Static<typeof InvitationWithLink> }) => {
						setInviting(false);
						setSent(data);
					}}
				>
					<TextField name="email" label={t.email} type="email" isRequired />
					<SelectField name="role" label={t.role} options={roles.map(({ id, name }) => ({ value: id, label: name }))} />
				</Form>
			</Dialog>
			<Secret
				title={t.linkTitle}
				text={t.linkText}
				secrets={sent && { [sent.email]: new URL(sent.link, location.origin).href }}
				done={t.close}
				copyLabel={t.copy}
				onClose={() => setSent(undefined)}
			/>
		</>
	);
}

function Standing({ member: { id, email, status } }: { readonly member: MemberView }) {
	const isActive = status === "ACTIVE";
	return (
		<ConfirmButton
			label={isActive ? t.deactivate : t.activate}
			title={isActive ? t.deactivateTitle : t.activateTitle}
			says={<p>{(isActive ? t.deactivateSays : t.activateSays)({ email })}</p>}
			perform={() => send("PATCH", `/members/${id}`, { status: isActive ? "DEACTIVATED" : "ACTIVE" })}
			isDanger={isActive}
		/>
	);
}

function Invitations({ nameOf }: { readonly nameOf: (role: string | null) => string }) {
	const list = useList<Invitation>("/members/invitations");
	if (list.rows?.length === 0) return null;
	return (
		<Card isFlush title={t.invitations} text={t.invitationsText}>
			<ListTable
				label={t.invitations}
				list={list}
				rowKey={({ id }) => id}
				empty={{ title: t.none }}
				columns={[
					{ head: t.email, cell: ({ email }) => email },
					{ head: t.role, cell: ({ role }) => nameOf(role) },
					{ head: t.status, cell: ({ status }) => <Status of={status} /> },
					{ head: t.invitedBy, isWide: true, cell: ({ invitedBy }) => invitedBy ?? "–" },
					{ head: t.ends, isWide: true, cell: ({ expireAt }) => <Ago at={expireAt} isMachineTime /> },
					{
						head: t.actions,
						cell: ({ id, email }) =>
							may("MEMBER:WRITE") && (
								<ConfirmButton
									label={t.withdraw}
									title={t.withdrawTitle}
									says={<p>{t.withdrawSays({ email })}</p>}
									perform={() => send("DELETE", `/members/invitations/${id}`)}
									isDanger
								/>
							),
					},
				]}
			/>
		</Card>
	);
}

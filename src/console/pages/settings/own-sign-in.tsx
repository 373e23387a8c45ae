import { useState } from "react";
import { PasswordChange, type SessionOfUser } from "../../../areas/access/sign-in/schema";
import { send } from "../../api";
import { ConfirmButton } from "../../kit/dialog";
import { Form, TextField } from "../../kit/form";
import { useList } from "../../kit/list";
import { Ago } from "../../kit/money";
import { Card } from "../../kit/page";
import { Badge } from "../../kit/status";
import { ListTable } from "../../kit/table";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/own-sign-in";
import { type Me, useMe, useSignOut } from "../../session";
import { SecondFactorCard } from "./second-factor";
import { nameOfUserAgent } from "./user-agent";

/** Of the person, not of the environment: password, second factor, sessions. */
export function OwnSignIn() {
	const { data: me } = useMe();
	if (!me) return null;
	return (
		<>
			<div className="grid">
				<PasswordCard me={me} />
				<SecondFactorCard me={me} />
			</div>
			<Sessions />
		</>
	);
}

function PasswordCard({ me: { email, hasPassword } }: { readonly me: Me }) {
	if (!hasPassword) return <Card title={t.password} text={t.noPassword} />;
	return (
		<Card title={t.password} text={t.passwordText({ email })}>
			<PasswordForm />
		</Card>
	);
}

function PasswordForm() {
	const [changes, setChanges] = useState(0);
	return (
		<Form
			// What was typed is gone once it has counted.
			key={changes}
			schema={PasswordChange}
			action={t.change}
			submit={(body) => send("POST", "/auth/password", body)}
			onDone={() => {
				toast(t.changed);
				setChanges(changes + 1);
			}}
		>
			<TextField name="currentPassword" label={t.current} type="password" autoComplete="current-password" isRequired />
			<TextField
				name="password"
				label={t.next}
				hint={t.nextHint}
				type="password"
				autoComplete="new-password"
				isRequired
			/>
		</Form>
	);
}

const whereOf = ({ userAgent }: SessionOfUser): string => (userAgent && nameOfUserAgent(userAgent)) || t.unknown;

function Sessions() {
	const list = useList<SessionOfUser>("/sessions");
	const signOut = useSignOut();
	return (
		<Card
			isFlush
			title={t.sessions}
			text={t.sessionsText}
			actions={
				<ConfirmButton
					label={t.endAll}
					title={t.endAllTitle}
					says={<p>{t.endAllSays}</p>}
					perform={async () => {
						await send("DELETE", "/sessions");
						await signOut.mutateAsync();
					}}
					isDanger
				/>
			}
		>
			<ListTable
				label={t.sessions}
				list={list}
				rowKey={({ id }) => id}
				empty={{ title: t.none }}
				columns={[
					{ head: t.where, cell: (session) => <span title={session.userAgent ?? ""}>{whereOf(session)}</span> },
					{ head: t.address, isWide: true, cell: ({ address }) => address ?? "–" },
					{ head: t.seen, cell: ({ lastSeenAt }) => <Ago at={lastSeenAt} isMachineTime /> },
					{ head: t.since, isWide: true, cell: ({ createdAt }) => <Ago at={createdAt} isMachineTime /> },
					{ head: t.ends, isWide: true, cell: ({ expiresAt }) => <Ago at={expiresAt} isMachineTime /> },
					{ head: t.actions, cell: (session) => <End session={session} /> },
				]}
			/>
		</Card>
	);
}

function End({ session }: { readonly session: SessionOfUser }) {
	const { id, isCurrent, address } = session;
	if (isCurrent) return <Badge tone="good">{t.thisOne}</Badge>;
	return (
		<ConfirmButton
			label={t.end}
			title={t.endTitle}
			says={<p>{t.endSays({ where: whereOf(session), address: address ?? "–" })}</p>}
			perform={() => send("DELETE", `/sessions/${id}`)}
			isDanger
		/>
	);
}

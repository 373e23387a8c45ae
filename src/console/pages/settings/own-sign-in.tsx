import { useState } from "react";
import { PasswordChange, type SessionOfUser } from "../../../areas/access/sign-in/schema";
import { send } from "../../api";
import { ConfirmButton, confirmation } from "../../kit/dialog";
import { Form } from "../../kit/forms/form";
import { ListCard } from "../../kit/list-card";
import { Card } from "../../kit/page";
import { toast } from "../../kit/toasts";
import { Ago, Badge } from "../../kit/values";
import { t } from "../../messages/access/own-sign-in";
import { type Me, useMe, useSignOut } from "../../session";
import { SecondFactorCard } from "./second-factor";
import { nameOfUserAgent } from "./user-agent";

/** The password, second factor and sessions of the person, in all environments. */
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
			// Another key empties the form after a change.
			key={changes}
			to={["POST", "/auth/password"]}
			schema={PasswordChange}
			texts={t}
			fields={[
				{ name: "currentPassword", kind: "password", autoComplete: "current-password" },
				{ name: "password", label: t.newPassword, kind: "password", autoComplete: "new-password" },
			]}
			action={t.change}
			onDone={() => {
				toast(t.changed);
				setChanges(changes + 1);
			}}
		/>
	);
}

const whereOf = ({ userAgent }: SessionOfUser): string => (userAgent && nameOfUserAgent(userAgent)) || t.unknown;

function Sessions() {
	const signOut = useSignOut();
	const endAll = async () => {
		await send("DELETE", "/sessions");
		await signOut.mutateAsync();
	};
	return (
		<ListCard<SessionOfUser>
			title={t.sessions}
			text={t.sessionsText}
			path="/sessions"
			actions={<ConfirmButton {...confirmation(t, "endAll")} isDanger perform={endAll} />}
			columns={[
				{ head: t.where, cell: (session) => <span title={session.userAgent ?? ""}>{whereOf(session)}</span> },
				{ head: t.address, isWide: true, cell: ({ address }) => address ?? "–" },
				{ head: t.seen, cell: ({ lastSeenAt }) => <Ago at={lastSeenAt} isMachineTime /> },
				{ head: t.since, isWide: true, cell: ({ createdAt }) => <Ago at={createdAt} isMachineTime /> },
				{ head: t.ends, isWide: true, cell: ({ expiresAt }) => <Ago at={expiresAt} isMachineTime /> },
				{ head: t.actions, cell: (session) => <End session={session} /> },
			]}
		/>
	);
}

function End({ session }: { readonly session: SessionOfUser }) {
	const { id, isCurrent, address } = session;
	if (isCurrent) return <Badge tone="good">{t.thisOne}</Badge>;
	const values = { where: whereOf(session), address: address ?? "–" };
	return <ConfirmButton {...confirmation(t, "end", values)} isDanger perform={["DELETE", `/sessions/${id}`]} />;
}

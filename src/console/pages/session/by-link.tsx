import { useState } from "react";
import { useLocation } from "wouter";
import { send } from "../../api";
import { Form, TextField } from "../../kit/form";
import { t } from "../../messages/people";
import type { LinkPath } from "./links";

/** What a link that was sent is for: its token stands behind the #, which no server is sent. */
const kinds = {
	"/accept-invitation": { path: "/auth/invitations/accept", title: t.accept, text: t.acceptText, done: t.accepted },
	"/reset-password": { path: "/auth/password/reset", title: t.reset, text: t.resetText, done: t.resetDone },
} as const;

/** Accepts an invitation, or sets a new password. */
export function ByLink({ path }: { readonly path: LinkPath }) {
	const { path: route, title, text, done } = kinds[path];
	const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get("token") ?? "");
	const [email, setEmail] = useState<string>();
	const [, navigate] = useLocation();
	return (
		<main className="sign-in">
			<div className="card">
				<h1>{title}</h1>
				{email === undefined ? (
					<>
						<p className="quiet">{text}</p>
						<Form
							action={title}
							submit={(body) => send("POST", route, { ...body, token })}
							onDone={({ data }: { data: { email: string } }) => setEmail(data.email)}
						>
							{path === "/accept-invitation" && <TextField name="name" label={t.name} autoComplete="name" />}
							<TextField name="password" label={t.password} type="password" autoComplete="new-password" isRequired />
						</Form>
					</>
				) : (
					<>
						<p>{done({ email })}</p>
						<button type="button" className="solid" onClick={() => navigate("/")}>
							{t.toSignIn}
						</button>
					</>
				)}
			</div>
		</main>
	);
}

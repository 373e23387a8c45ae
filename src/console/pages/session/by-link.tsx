import { useState } from "react";
import { useLocation } from "wouter";
import { send } from "../../api";
import { Form } from "../../kit/forms/form";
import { t } from "../../messages/access/people";
import type { LinkPath } from "./links";

/** The purposes of links in mails. The token stands behind the #, which browsers send to no server. */
const kinds = {
	"/accept-invitation": { path: "/auth/invitations/accept", title: t.accept, text: t.acceptText, done: t.accepted },
	"/reset-password": { path: "/auth/password/reset", title: t.reset, text: t.resetText, done: t.resetDone },
} as const;

const name = { name: "name", kind: "text", autoComplete: "name" } as const;

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
							to={(body) => send<{ data: { email: string } }>("POST", route, { ...body, token })}
							texts={t}
							fields={[
								...(path === "/accept-invitation" ? [name] : []),
								{ name: "password", kind: "password", autoComplete: "new-password", isRequired: true },
							]}
							action={title}
							onDone={({ data }: { data: { email: string } }) => setEmail(data.email)}
						/>
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

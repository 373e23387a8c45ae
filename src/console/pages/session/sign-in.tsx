import type { Static } from "@sinclair/typebox";
import { type FormEvent, useEffect, useId, useState } from "react";
import type { SignInProvider } from "../../../areas/identity-providers/schema";
import { withQuery } from "../../api";
import { useOne } from "../../kit/list";
import { Problem } from "../../kit/problem";
import { t } from "../../messages/access/sign-in";
import { useSignIn } from "../../session";

type Provider = Static<typeof SignInProvider>;

/** A plain form, so that password managers recognise it. */
export function SignIn() {
	const signIn = useSignIn();
	const id = useId();
	useEffect(() => {
		document.title = `${t.title} · Tollgate`;
	}, []);
	const [email, setEmail] = useState("");
	const [isAsked, setAsked] = useState(false);
	const submit = (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		signIn.mutate(Object.fromEntries(new FormData(event.currentTarget)), {
			onSuccess: ({ secondFactor }) => setAsked(secondFactor !== undefined),
		});
	};
	return (
		<main className="sign-in">
			<div className="card">
				<svg viewBox="0 0 32 32" width="36" height="36" aria-hidden="true">
					<rect width="32" height="32" rx="8" />
					<path d="M8 23V9h4v14zm6-9.5 11-4.2v4.2l-11 4.2z" />
				</svg>
				<h1>{t.title}</h1>
				<form onSubmit={submit}>
					<div className="field">
						<label htmlFor={`${id}-email`}>{t.email}</label>
						<input
							id={`${id}-email`}
							name="email"
							type="email"
							autoComplete="username"
							required
							onBlur={({ target }) => setEmail(target.validity.valid ? target.value : "")}
						/>
					</div>
					<div className="field">
						<label htmlFor={`${id}-password`}>{t.password}</label>
						<input id={`${id}-password`} name="password" type="password" autoComplete="current-password" required />
					</div>
					{isAsked && <SecondFactor id={id} />}
					<Problem error={signIn.error} />
					<button type="submit" className="solid" disabled={signIn.isPending}>
						{t.action}
					</button>
				</form>
				<Providers email={email} />
			</div>
			<p className="small quiet">
				{t.first} <code>tollgate users create</code>
			</p>
		</main>
	);
}

/** The identity provider of the email address, if it has one. */
function Providers({ email }: { readonly email: string }) {
	const { data = [] } = useOne<Provider[]>(email === "" ? undefined : withQuery("/auth/oidc", { email }));
	return data.map(({ id, name, startPath }) => (
		<a key={id} className="button" href={withQuery(startPath, { returnTo: "/console" })}>
			{t.signInBy({ name })}
		</a>
	));
}

/** Asks for the second factor after the password, if the person has one. */
function SecondFactor({ id }: { readonly id: string }) {
	const [isRecovery, setRecovery] = useState(false);
	return (
		<div className="field">
			<label htmlFor={`${id}-code`}>{isRecovery ? t.recovery : t.code}</label>
			<input
				key={String(isRecovery)}
				id={`${id}-code`}
				name={isRecovery ? "recoveryCode" : "totpCode"}
				inputMode={isRecovery ? "text" : "numeric"}
				autoComplete="one-time-code"
				// biome-ignore lint/a11y/noAutofocus: it is what the form has just asked for.
				autoFocus
				required
			/>
			<button type="button" className="link small" onClick={() => setRecovery(!isRecovery)}>
				{isRecovery ? t.useApp : t.useRecovery}
			</button>
		</div>
	);
}

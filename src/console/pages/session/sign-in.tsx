import { type FormEvent, useEffect, useId } from "react";
import { Problem } from "../../kit/problem";
import { t } from "../../messages/sign-in";
import { useSignIn } from "../../session";

/** By the browser's own form, so that password managers know it. */
export function SignIn() {
	const signIn = useSignIn();
	const id = useId();
	useEffect(() => {
		document.title = `${t.title} · Tollgate`;
	}, []);
	const submit = (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		signIn.mutate(Object.fromEntries(new FormData(event.currentTarget)));
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
						<input id={`${id}-email`} name="email" type="email" autoComplete="username" required />
					</div>
					<div className="field">
						<label htmlFor={`${id}-password`}>{t.password}</label>
						<input id={`${id}-password`} name="password" type="password" autoComplete="current-password" required />
					</div>
					<Problem error={signIn.error} />
					<button type="submit" className="solid" disabled={signIn.isPending}>
						{t.action}
					</button>
				</form>
			</div>
			<p className="small quiet">
				{t.first} <code>tollgate users create</code>
			</p>
		</main>
	);
}

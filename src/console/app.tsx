import { lazy, Suspense } from "react";
import { Route, Switch, useLocation } from "wouter";
import { Empty, Page, Skeleton } from "./kit/page";
import { Problem } from "./kit/problem";
import { ScreenBoundary } from "./kit/screen-boundary";
import { Toasts } from "./kit/toasts";
import { t as frame } from "./messages/shared/frame";
import { words } from "./messages/shared/words";
import { isLinkPath } from "./pages/session/links";
import { SignIn } from "./pages/session/sign-in";
import { screens } from "./screens";
import { currentEnvironment, type Me, useMe } from "./session";

const ByLink = lazy(async () => ({ default: (await import("./pages/session/by-link")).ByLink }));
const Shell = lazy(async () => ({ default: (await import("./kit/shell")).Shell }));

export function App() {
	const me = useMe();
	const [path] = useLocation();
	if (isLinkPath(path))
		return (
			<Suspense fallback={null}>
				<ByLink path={path} />
			</Suspense>
		);
	if (me.error) return <Problem error={me.error} retry={() => void me.refetch()} />;
	if (me.isPending) return null;
	return me.data ? <Inside me={me.data} /> : <SignIn />;
}

function Inside({ me }: { readonly me: Me }) {
	const environment = currentEnvironment(me);
	if (!environment)
		return (
			<main>
				<Empty title="Tollgate" text={frame.noEnvironment} />
			</main>
		);
	return (
		<Suspense fallback={null}>
			<Shell me={me} environment={environment}>
				<Suspense fallback={<Skeleton lines={8} />}>
					<Switch>
						{screens.map(({ path, show: Show }) => (
							<Route key={path} path={path === "/" ? "/" : `${path}/*?`}>
								<ScreenBoundary key={path}>
									<Show />
								</ScreenBoundary>
							</Route>
						))}
						<Route>
							<Page title={words.nothingHere}>
								<Empty title={words.nothingHere} text={words.nothingHereText} />
							</Page>
						</Route>
					</Switch>
				</Suspense>
			</Shell>
			<Toasts />
		</Suspense>
	);
}

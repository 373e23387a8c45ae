import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Router } from "wouter";
import { ApiError } from "./api";
import { App } from "./app";
import { language } from "./messages/language";
import { applyTheme } from "./theme";

/** The time that data stays in the cache. Cached data is shown at once while it is read again. */
const freshMs = 5_000;

const client = new QueryClient({
	defaultOptions: { queries: { staleTime: freshMs, retry: false, refetchOnWindowFocus: true } },
});

// A session that has ended leads to the sign-in, from wherever it is noticed.
client.getQueryCache().subscribe(({ type, query }) => {
	const { error } = query.state;
	if (type === "updated" && error instanceof ApiError && error.status === 401 && query.queryKey[0] !== "session")
		void client.invalidateQueries({ queryKey: ["session"] });
});

document.documentElement.lang = language;
applyTheme();

const place = document.getElementById("console");
if (place)
	createRoot(place).render(
		<StrictMode>
			<QueryClientProvider client={client}>
				<Router base="/console">
					<App />
				</Router>
			</QueryClientProvider>
		</StrictMode>,
	);

// Made of GET /api/openapi.json by `npm run client-types`.
export interface paths {
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Is the program alive? 503 with the same body when it stops or its store is lost. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            status: "starting" | "ok" | "stopping" | "broken";
                            node: string;
                            journal: string;
                            seq: number;
                            version: string;
                            rehearsal: boolean;
                        };
                    };
                };
                /** @description See the body */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            status: "starting" | "ok" | "stopping" | "broken";
                            node: string;
                            journal: string;
                            seq: number;
                            version: string;
                            rehearsal: boolean;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Can the program take commands? 503 with the reasons when it cannot. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            ready: boolean;
                            reasons: ("starting" | "draining" | "disk" | "store" | "nodes" | "clock" | "files")[];
                        };
                    };
                };
                /** @description See the body */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            ready: boolean;
                            reasons: ("starting" | "draining" | "disk" | "store" | "nodes" | "clock" | "files")[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The version, the names of the models, and the limits by their configuration keys; budgets are at /api/budgets. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            version: string;
                            models: string[];
                            rehearsal: boolean;
                            limits: {
                                /** @enum {string} */
                                name: "steps_per_part" | "reflections_per_part" | "talk_in_a_row" | "commands_per_person" | "reads_per_person" | "sockets_per_person" | "uploads_per_person" | "uploads_per_person_mib" | "drafts_per_person" | "drafts_per_person_mib";
                                value: number;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This interface as an OpenAPI document. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What people did, newest first, by page, with the session in which each did it: its address and browser are known until 90 days after its end. With `format` all rows as a file; one at a time. */
        get: {
            parameters: {
                query?: {
                    /** @description epoch ms, included */
                    from?: number | null;
                    /** @description epoch ms, not included */
                    to?: number | null;
                    /** @description a person */
                    who?: string;
                    act?: "messages" | "requests" | "tasks" | "team" | "plans";
                    task?: string;
                    /** @description `next` of the page before */
                    after?: number | null;
                    limit?: number;
                    /** @description of the words */
                    language?: "en" | "zh";
                    /** @description all rows as a file, instead of a page */
                    format?: "csv" | "json";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description the newest first; a decision is never cut, so there may be more than `limit` */
                            rows: {
                                /** @description of the entry in the journal */
                                seq: number;
                                /** @description epoch ms */
                                at: number;
                                who: {
                                    id: string;
                                    name: string;
                                };
                                /** @enum {string} */
                                kind: "messages" | "requests" | "tasks" | "team" | "plans";
                                what: string;
                                task: {
                                    id: string;
                                    name: string;
                                } | null;
                                /** @description null: in none, or not recorded. address, browser: null: not known, or over for 90 days */
                                session: {
                                    id: string;
                                    address: string | null;
                                    browser: string | null;
                                    /** @description the name of a personal access token; null: done in a browser */
                                    token: string | null;
                                } | null;
                            }[];
                            /** @description a page may be short; null: it was the last one */
                            next: number | null;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bind_human_agent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in: bind this browser session to a person. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        human_agent_id: string;
                        password: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            human_agent_id: string;
                            message: string;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a link that works once. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        token: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            person: {
                                agent_id: string;
                                id: string | null;
                                name: string;
                                role: string;
                                /** @enum {string} */
                                access: "participant" | "operator" | "developer" | "none";
                            };
                            hasPassword: boolean;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign out. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            ended: number;
                            /** @description where the browser signs out of the provider of its session too */
                            next?: string;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The ways to sign in. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            passwords: boolean;
                            providers: {
                                id: string;
                                name: string;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Type the password again. For 5 minutes this session may then give access, add keys and add commands. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        password: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description epoch milliseconds */
                            until: number;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller’s open sessions, newest first. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            sessions: {
                                id: string;
                                browser: string | null;
                                address: string | null;
                                /** @description epoch milliseconds */
                                since: number;
                                /** @description epoch milliseconds */
                                lastSeen: number;
                                /** @description epoch milliseconds */
                                expiresAt: number;
                                isThis: boolean;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** End the caller’s other sessions, with pending sign-in links and known browsers. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            ended: number;
                            /** @description where the browser signs out of the provider of its session too */
                            next?: string;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one of the caller’s sessions. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            ended: number;
                            /** @description where the browser signs out of the provider of its session too */
                            next?: string;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller’s personal access tokens, newest first, without their secrets. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            tokens: {
                                id: string;
                                name: string;
                                scopes: ("read" | "answer" | "ask" | "operate")[];
                                /** @description epoch milliseconds */
                                since: number;
                                /** @description epoch milliseconds */
                                lastUsed: number | null;
                                /** @description epoch milliseconds */
                                expiresAt: number;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Make a personal access token, for `Authorization: Bearer …`. It ends when it expires, is revoked, or its person loses access.
         * @description A command, a key or access is given: 403 CONFIRM_PASSWORD, unless the caller signed in or called POST /api/sessions/confirm within 5 minutes.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        name: string;
                        scopes: ("read" | "answer" | "ask" | "operate")[];
                        days: number;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description shown only here */
                            token: string;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke one of the caller’s tokens. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller, their team and their settings. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            person: {
                                agent_id: string;
                                id: string | null;
                                name: string;
                                role: string;
                                /** @enum {string} */
                                access: "participant" | "operator" | "developer" | "none";
                            };
                            team: {
                                name: string;
                                /** @enum {string} */
                                language: "en" | "zh";
                            };
                            settings: components["schemas"]["Settings"];
                            hasPassword: boolean;
                            /** @description false: nobody signs in by a password */
                            passwords: boolean;
                            /** @description by which this session was begun */
                            provider: {
                                id: string;
                                name: string;
                            } | null;
                            ladder?: {
                                againMs: number;
                                untilMs: number;
                                openMs: number;
                                openAgainMs: number;
                            };
                            /** @description a running step that says nothing for so long is shown as stale */
                            staleAfterMs?: number;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Set or change the caller’s password. Their other sessions, pending links and known browsers end; tokens stay. */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        current: string | null;
                        next: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            ended: number;
                            /** @description where the browser signs out of the provider of its session too */
                            next?: string;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change the caller’s settings; fields that are not named stay. */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Settings"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the system holds about the caller: account, settings, drafts, sessions, channels, messages from and to them, requests to them with their answers. Files are named. One export at a time. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MyData"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everyone with an account. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            people: {
                                agent_id: string;
                                id: string | null;
                                name: string;
                                role: string;
                                /** @enum {string} */
                                access: "participant" | "operator" | "developer" | "none";
                                hasPassword: boolean;
                                sessions: number;
                                /** @description personal access tokens that are not over */
                                tokens: number;
                                /** @description epoch milliseconds */
                                lastSeen: number | null;
                                /** @description unsent drafts with words in them */
                                drafts: number;
                                /** @description by which the person signs in, by name */
                                providers: string[];
                            }[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/people/{id}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a sign-in link for a person. It works once, within 15 minutes; for somebody without a password, within 7 days.
         * @description A command, a key or access is given: 403 CONFIRM_PASSWORD, unless the caller signed in or called POST /api/sessions/confirm within 5 minutes.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            url: string;
                            /** @description epoch milliseconds */
                            expiresAt: number;
                            /** @description the address leads nowhere on another machine */
                            onlyHere: boolean;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/people/{id}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a person's password, sign them out everywhere, and make a sign-in link for them.
         * @description A command, a key or access is given: 403 CONFIRM_PASSWORD, unless the caller signed in or called POST /api/sessions/confirm within 5 minutes.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            url: string;
                            /** @description epoch milliseconds */
                            expiresAt: number;
                            /** @description the address leads nowhere on another machine */
                            onlyHere: boolean;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/people/{id}/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign a person out everywhere. Their tokens, pending sign-in links and known browsers end too. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            ended: number;
                            /** @description where the browser signs out of the provider of its session too */
                            next?: string;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/budgets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The limits of tokens and money: what is used of them today, by whom the most, and what has stopped at them. Participants see their own. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description the day (UTC) for which the use is */
                            day: string;
                            mayChange: boolean;
                            budgets: {
                                /** @enum {string} */
                                kind: "taskTokens" | "taskCost" | "dayCost" | "agentCost" | "personCost";
                                /**
                                 * @description in the configuration, and of its record in the setup
                                 * @enum {string}
                                 */
                                key: "tokens_per_task" | "cost_per_task" | "cost_per_day" | "cost_per_agent_per_day" | "cost_per_person_per_day";
                                /** @description tokens or US dollars; null: no limit */
                                limit: number | null;
                                /** @description the task, agent or person that has used the most, name null: the day; null: nothing is used */
                                most: {
                                    name: string | null;
                                    used: number;
                                    /** @description with what was allowed beyond */
                                    limit: number | null;
                                } | null;
                                stops: {
                                    /** @description of the task, agent or person; null: all work of the day */
                                    name: string | null;
                                    /** @description the open request about it; null: none that the caller can answer */
                                    request: string | null;
                                }[];
                                /** @description seq of the newest change, 0: none */
                                seen: number;
                                /** @description the newest change; null: none, or not for the caller */
                                change: {
                                    /** @description epoch milliseconds */
                                    at: number;
                                    /** @description null: the configuration file */
                                    by: string | null;
                                    before: number | null;
                                } | null;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/send_message": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a message as the person of this session. Of each receiver it answers the oldest wait on this person in that task, else, with need_reply, the oldest open question; return_waiting_id names another one by its waiting id, its request or its message. settled says which requests it answered. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        human_agent_id: string;
                        task_id: string;
                        receiver: string[];
                        content: string;
                        /** @default no_relative */
                        stage_relative?: string;
                        /** @default true */
                        need_reply?: boolean;
                        /** @default false */
                        waiting?: boolean;
                        return_waiting_id?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            message: string;
                            settled: {
                                agent_id: string;
                                request_id: string;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/states": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The live states of one kind that the caller may read, by StateID. */
        get: {
            parameters: {
                query: {
                    type: "task" | "stage" | "agent" | "step";
                    task?: string;
                    after?: string;
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            [key: string]: {
                                [key: string]: unknown;
                            };
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a message, with the request that it answers, if any. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        task: string;
                        receivers: string[] | "all";
                        text: string;
                        stage: string | null;
                        answers: string | null;
                        replyTo: string | null;
                        mention: boolean;
                        /** @description epoch milliseconds; when what it asks expires */
                        due?: number | null;
                        /** @enum {string} */
                        type: "fyi" | "action" | "urgent";
                        /**
                         * @description files that were taken in before
                         * @default []
                         */
                        attachments?: {
                            sha: string;
                            /** @description where it is another than that of its upload */
                            name?: string;
                            /** @description what a picture shows */
                            alt?: string;
                        }[];
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark messages as shown to the caller. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        shown: string[];
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Acknowledge an Urgent. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CommandHead"];
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}/done": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark what a message asks as done. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CommandHead"];
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Undo `acknowledge` or `done`, within five minutes. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CommandHead"];
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Requests, oldest first, by page. A participant sees those of their tasks and threads. */
        get: {
            parameters: {
                query?: {
                    state?: "open" | "over" | "all";
                    for?: string;
                    task?: string;
                    kind?: "answer" | "part" | "confirm" | "limit" | "judge" | "tool" | "plan";
                    asker?: string;
                    after?: number | null;
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            requests: components["schemas"]["RequestRow"][];
                            total: number;
                            next: number | null;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A request, open, settled or archived. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            request: components["schemas"]["Request"];
                            taskName: string;
                            askerName: string;
                            /** @description what changed since it was asked */
                            changes: string[];
                            /** @description it has left the live world */
                            archived: boolean;
                            /**
                             * @description its task was opened from a file
                             * @enum {boolean}
                             */
                            opened?: true;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/requests/{id}/arguments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The arguments of a confirmation: exactly what would run, and what ran once it was approved with changes. Of a plan its stages. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description any JSON value */
                            json?: unknown;
                            text: string;
                            digest: string;
                            /** @description any JSON value */
                            schema?: unknown;
                            ran: {
                                /** @description any JSON value */
                                json?: unknown;
                                text: string;
                            } | null;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/requests/{id}/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Claim a request: the caller is answering it. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        reason?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/requests/{id}/urgent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make an approval urgent: it alerts until somebody acknowledges it. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/requests/{id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer a request. The first answer that is stored counts. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        /** @enum {string} */
                        decision: "answer" | "approve" | "approve_edited" | "refuse" | "done" | "cannot";
                        text: string;
                        /** @description of the arguments that the person saw */
                        digest: string | null;
                        reason?: string | null;
                        arguments: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/archived": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Archived tasks that the caller may read, newest first, by page. */
        get: {
            parameters: {
                query?: {
                    after?: string;
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            tasks: {
                                task: string;
                                name: string;
                                /** @enum {string} */
                                state: "init" | "running" | "finished" | "failed";
                                summary: string | null;
                                endedAt: number | null;
                                archivedAt: number;
                                asker: string | null;
                                members: number;
                            }[];
                            next: string | null;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archives": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Archives of tasks that were opened from files, newest first. They are kept until they are removed. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            archives: {
                                archive: string;
                                /** @description its new id, under which it can be read */
                                task: string;
                                name: string;
                                file: string;
                                /** @description who opened it */
                                by: string;
                                at: number;
                                /** @description as the file says */
                                exported: {
                                    by: string;
                                    at: number;
                                };
                                bytes: number;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        /** Opens the archive of an ended task, as /api/tasks/{id}/export writes it, to be read by operators: at most 32 MiB. It is checked as a whole; nothing of it enters the journal. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        name: string;
                        base64: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            archive: string;
                            /** @description its new id, under which it can be read */
                            task: string;
                            name: string;
                            file: string;
                            /** @description who opened it */
                            by: string;
                            at: number;
                            /** @description as the file says */
                            exported: {
                                by: string;
                                at: number;
                            };
                            bytes: number;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/archives/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Removes an opened archive, with all that was kept of it. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            removed: string;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Search tasks, agents, stages, messages, requests and steps that the caller may read, archived ones too. */
        get: {
            parameters: {
                query: {
                    q: string;
                    kind?: "task" | "agent" | "request" | "message" | "stage" | "step";
                    before?: number;
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            hits: {
                                /** @enum {string} */
                                kind: "task" | "agent" | "request" | "message" | "stage" | "step";
                                id: string;
                                task: string | null;
                                taskName: string;
                                title: string;
                                text: string;
                                /** @description epoch milliseconds */
                                at: number;
                            }[];
                            next: number | null;
                            indexedTo: number;
                            head: number;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/direct/{id}/left": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Messages of the talk of the caller with this member that have left the live world, newest first, by page. */
        get: {
            parameters: {
                query?: {
                    before?: number;
                    limit?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            rows: {
                                [key: string]: unknown;
                            }[];
                            next: number | null;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/find/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The record of an id: a task, agent, stage, message, request or step that the caller may read, archived ones too. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            kind: "task" | "agent" | "request" | "message" | "stage" | "step";
                            id: string;
                            task: string | null;
                            taskName: string;
                            title: string;
                            text: string;
                            /** @description epoch milliseconds */
                            at: number;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/numbers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was done, used and waited for, by day, member, model and task. Participants: of their own tasks. */
        get: {
            parameters: {
                query: {
                    from: string;
                    to: string;
                    /** @description an IANA time zone */
                    zone?: string;
                    task?: string;
                    /** @description who worked, asked or was waited for */
                    agent?: string;
                    model?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            counted: {
                                upTo: number;
                                head: number;
                            };
                            firstTokenBoundsMs: number[];
                            hoursFrom: string;
                            total: {
                                /** @description calls of models */
                                calls: number;
                                failedCalls: number;
                                /** @description answers that were returned to the model */
                                repairedCalls: number;
                                /** @description calls whose tokens are an estimate */
                                estimatedCalls: number;
                                /** @description calls that used tokens and have no price: they are in no cost */
                                unpricedCalls: number;
                                promptTokens: number;
                                /** @description part of promptTokens */
                                cachedTokens: number;
                                completionTokens: number;
                                /** @description part of completionTokens */
                                reasoningTokens: number;
                                /** @description 10⁻⁹ US dollars */
                                nanoUsd: number;
                                /** @description calls by time to the first token; the bounds are in firstTokenBoundsMs */
                                firstToken: number[];
                                /** @description steps that ended */
                                steps: number;
                                failedSteps: number;
                                /** @description waits that ended */
                                waits: number;
                                waitMs: number;
                                longestWaitMs: number;
                                tasksAsked: number;
                                tasksFinished: number;
                                tasksFailed: number;
                            };
                            days: {
                                day: string;
                                /** @description calls of models */
                                calls: number;
                                failedCalls: number;
                                /** @description answers that were returned to the model */
                                repairedCalls: number;
                                /** @description calls whose tokens are an estimate */
                                estimatedCalls: number;
                                /** @description calls that used tokens and have no price: they are in no cost */
                                unpricedCalls: number;
                                promptTokens: number;
                                /** @description part of promptTokens */
                                cachedTokens: number;
                                completionTokens: number;
                                /** @description part of completionTokens */
                                reasoningTokens: number;
                                /** @description 10⁻⁹ US dollars */
                                nanoUsd: number;
                                /** @description calls by time to the first token; the bounds are in firstTokenBoundsMs */
                                firstToken: number[];
                                /** @description steps that ended */
                                steps: number;
                                failedSteps: number;
                                /** @description waits that ended */
                                waits: number;
                                waitMs: number;
                                longestWaitMs: number;
                                tasksAsked: number;
                                tasksFinished: number;
                                tasksFailed: number;
                                /** @description tasks in which a step ended */
                                tasksActive: number;
                                /** @description tasks in which a wait ended */
                                tasksWaiting: number;
                            }[];
                            members: {
                                id: string;
                                name: string;
                                isPerson: boolean;
                                /** @description calls of models */
                                calls: number;
                                failedCalls: number;
                                /** @description answers that were returned to the model */
                                repairedCalls: number;
                                /** @description calls whose tokens are an estimate */
                                estimatedCalls: number;
                                /** @description calls that used tokens and have no price: they are in no cost */
                                unpricedCalls: number;
                                promptTokens: number;
                                /** @description part of promptTokens */
                                cachedTokens: number;
                                completionTokens: number;
                                /** @description part of completionTokens */
                                reasoningTokens: number;
                                /** @description 10⁻⁹ US dollars */
                                nanoUsd: number;
                                /** @description calls by time to the first token; the bounds are in firstTokenBoundsMs */
                                firstToken: number[];
                                /** @description steps that ended */
                                steps: number;
                                failedSteps: number;
                                /** @description waits that ended */
                                waits: number;
                                waitMs: number;
                                longestWaitMs: number;
                                tasksAsked: number;
                                tasksFinished: number;
                                tasksFailed: number;
                            }[];
                            models: {
                                model: string;
                                /** @description calls of models */
                                calls: number;
                                failedCalls: number;
                                /** @description answers that were returned to the model */
                                repairedCalls: number;
                                /** @description calls whose tokens are an estimate */
                                estimatedCalls: number;
                                /** @description calls that used tokens and have no price: they are in no cost */
                                unpricedCalls: number;
                                promptTokens: number;
                                /** @description part of promptTokens */
                                cachedTokens: number;
                                completionTokens: number;
                                /** @description part of completionTokens */
                                reasoningTokens: number;
                                /** @description 10⁻⁹ US dollars */
                                nanoUsd: number;
                                /** @description calls by time to the first token; the bounds are in firstTokenBoundsMs */
                                firstToken: number[];
                                /** @description steps that ended */
                                steps: number;
                                failedSteps: number;
                                /** @description waits that ended */
                                waits: number;
                                waitMs: number;
                                longestWaitMs: number;
                                tasksAsked: number;
                                tasksFinished: number;
                                tasksFailed: number;
                            }[];
                            /** @description those of the highest use first */
                            tasks: {
                                id: string;
                                name: string;
                                /** @description calls of models */
                                calls: number;
                                failedCalls: number;
                                /** @description answers that were returned to the model */
                                repairedCalls: number;
                                /** @description calls whose tokens are an estimate */
                                estimatedCalls: number;
                                /** @description calls that used tokens and have no price: they are in no cost */
                                unpricedCalls: number;
                                promptTokens: number;
                                /** @description part of promptTokens */
                                cachedTokens: number;
                                completionTokens: number;
                                /** @description part of completionTokens */
                                reasoningTokens: number;
                                /** @description 10⁻⁹ US dollars */
                                nanoUsd: number;
                                /** @description calls by time to the first token; the bounds are in firstTokenBoundsMs */
                                firstToken: number[];
                                /** @description steps that ended */
                                steps: number;
                                failedSteps: number;
                                /** @description waits that ended */
                                waits: number;
                                waitMs: number;
                                longestWaitMs: number;
                                tasksAsked: number;
                                tasksFinished: number;
                                tasksFailed: number;
                            }[];
                            /** @description tasks that are in the sums and not listed */
                            otherTasks: number;
                            /** @description the longest first */
                            waits: {
                                /** @description the name of who was waited for */
                                on: string;
                                task: string;
                                taskName: string;
                                waits: number;
                                waitMs: number;
                                longestWaitMs: number;
                            }[];
                            /** @description the longest first */
                            waitingNow: {
                                on: string;
                                by: string;
                                task: string;
                                taskName: string;
                                /** @description epoch milliseconds */
                                since: number;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/numbers/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many steps ended in each of the last hours (tasks) or days (members). Participants: of their own tasks. */
        get: {
            parameters: {
                query: {
                    of: "tasks" | "members";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            slotMs: number;
                            /** @description by id; those without any are absent */
                            rows: {
                                [key: string]: number[];
                            };
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A task to take along, as far as the caller may read it: as Markdown, its result alone, or as an archive (ZIP). One at a time. */
        get: {
            parameters: {
                query: {
                    as: "markdown" | "result" | "archive";
                    language?: "en" | "zh";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/octet-stream": string;
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a finished task came to: headline, facts, summary, what was left out, what people decided, the files that it left as far as the caller may see them, figures, what was not done. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            task: string;
                            name: string;
                            /** @enum {string} */
                            state: "finished" | "failed";
                            headline: string | null;
                            facts: {
                                label: string;
                                value: string;
                                source: string | null;
                                /** @description the step or message that the source names */
                                record: {
                                    /** @enum {string} */
                                    kind: "step" | "message";
                                    id: string;
                                } | null;
                            }[];
                            summary: string | null;
                            leftOut: string[];
                            decisions: {
                                request: string;
                                /** @enum {string} */
                                kind: "answer" | "part" | "confirm" | "limit" | "judge" | "tool" | "plan";
                                /** @description the question; of a call to confirm what it does */
                                title: string;
                                /** @enum {string} */
                                decision: "answer" | "approve" | "approve_edited" | "refuse" | "done" | "cannot";
                                text: string;
                                /** @description of the person who decided */
                                name: string;
                                /** @description epoch ms */
                                at: number;
                            }[];
                            /** @description that agents and tools put to people */
                            questions: number;
                            /** @description calls that people allowed */
                            approvals: number;
                            ratings: {
                                agent: string;
                                name: string;
                                /** @enum {string} */
                                rating: "up" | "down";
                                sentence: string;
                                /** @description epoch ms */
                                at: number;
                            }[];
                            /** @description the caller may rate it */
                            mayRate: boolean;
                            /**
                             * @description its task was opened from a file: no change of it can be asked for
                             * @enum {boolean}
                             */
                            opened?: true;
                            files: {
                                path: string;
                                /** @enum {string} */
                                change: "made" | "changed" | "removed";
                                bytes: number | null;
                                /** @description of the version that the task left */
                                seq: number;
                                /** @description the content of that version is stored */
                                isKept: boolean;
                                /** @description a later version is recorded */
                                isChanged: boolean;
                            }[];
                            tookMs: number | null;
                            steps: number;
                            calls: number | null;
                            tokens: number;
                            /** @description tokens and cost of some calls are estimates */
                            isEstimated: boolean;
                            costUsd: number | null;
                            notDone: {
                                /** @enum {string} */
                                why: "failed" | "notStarted" | "part";
                                stage: string;
                                stageName: string;
                                intention: string;
                                name: string | null;
                                reason: string;
                            }[];
                            /** @description of a failed task: its last step that failed for a known cause */
                            failure: {
                                step: string;
                                agent: string;
                                /** @description the agent's */
                                name: string;
                                /** @enum {string} */
                                cause: "format" | "key" | "limit" | "model" | "tool" | "file" | "person";
                                model: string | null;
                                /** @description of the tool */
                                server: string | null;
                            } | null;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Upload a file for a message, at most 25 MiB. It is stored, and saved in the workspace. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        name: string;
                        mime: string;
                        base64: string;
                        /** @description files that carry the same are saved in one folder */
                        drop?: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            sha: string;
                            name: string;
                            mime: string;
                            bytes: number;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}/attachments/{at}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A file of a message, whole, as base64. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    at: number | null;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            name: string;
                            mime: string;
                            base64: string;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause an agent: it starts no more steps; a running one finishes. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Act"];
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume an agent; it processes what it received meanwhile. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Act"];
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{id}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remove an agent that was made at run time: its parts fail, and those who wait for it are told. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Act"];
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{id}/read_now": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause an agent and have it process this message first. It stays paused until it is resumed. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        /** @description recorded, and told in the chat */
                        reason: string;
                        message: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/steps/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a step: it fails; a running call is aborted. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Act"];
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/steps/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Retry a failed step, as a new one; a tool call also with other arguments. A call that needs a confirmation is held as ever. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        /** @description recorded, and told in the chat */
                        reason: string;
                        /** @default null */
                        arguments?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stages/{id}/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Finish a stage; the next one starts. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Act"];
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stages/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Retry a stage: it fails, and the changed one after it starts. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        /** @description recorded, and told in the chat */
                        reason: string;
                        intention: string;
                        /** @description the goal of each agent, by its id */
                        allocation: {
                            [key: string]: string;
                        };
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stages/{id}/rename": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rename a stage that is not over, and change its goal where one is given: agents read the goal. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        name: string;
                        intention?: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/stages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add stages at the end of the plan; the first one starts when none is running. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        /** @description recorded, and told in the chat */
                        reason: string;
                        stages: {
                            intention: string;
                            /** @description the goal of each agent, by its id */
                            allocation: {
                                [key: string]: string;
                            };
                        }[];
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a task with members and stages. Without stages its manager is asked to plan them. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        /** @description recorded, and told in the chat */
                        reason: string;
                        name: string;
                        intention: string;
                        manager: string;
                        members: string[];
                        stages: {
                            intention: string;
                            /** @description the goal of each agent, by its id */
                            allocation: {
                                [key: string]: string;
                            };
                        }[];
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause a task: its steps do not run; messages in it wait. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Act"];
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume a task. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Act"];
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Finish a task and everything in it. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        /** @description recorded, and told in the chat */
                        reason: string;
                        /** @enum {string} */
                        state: "finished" | "failed";
                        summary: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/participants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add and remove members of a task. A removed member can read what came before; handTo gets what they were asked. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        /** @description recorded, and told in the chat */
                        reason: string;
                        add: string[];
                        remove: string[];
                        /**
                         * @description who gets what only people that leave were asked; null: those questions end, and their parts fail
                         * @default null
                         */
                        handTo?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/rate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rate the result of an ended task: for the person who asked for it, and operators. A later rating replaces it. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        /** @enum {string} */
                        rating: "up" | "down";
                        /** @default  */
                        sentence?: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/rename": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rename a task: for operators, its manager and the person who asked for it. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        name: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Erase a task at rest, archived or not: its texts, files, steps and notes, for good. Not erased: earlier backups, files in the workspace. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Act"];
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/manager": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make another member the manager of a task; open judgements go to them. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        /** @description recorded, and told in the chat */
                        reason: string;
                        agent: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/waits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Waits, those that need an operator first. A participant sees those of their tasks. */
        get: {
            parameters: {
                query?: {
                    after?: string;
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            waits: components["schemas"]["Wait"][];
                            total: number;
                            blocked: number;
                            next: string | null;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/waits/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Release a wait without an answer: the agent continues, and is told by whom and why. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        agent: string;
                        waiting: string;
                        reason: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hand_overs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Offer the caller’s open requests to another person. Until they accept, both are asked. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        to: string;
                        requests: string[] | "all";
                        messages?: string[];
                        sentence: string;
                        begun?: {
                            [key: string]: string;
                        };
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hand_overs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept or decline an offered transfer. The person who offered it may withdraw it. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        accept: boolean;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reminders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remind the caller in some minutes. It settles nothing; the sender sees it beside the delivery. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        /** @default null */
                        request?: string | null;
                        /** @default null */
                        message?: string | null;
                        minutes: number;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/requests/{id}/ask_back": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask the asker a question first. The request stays open; an agent replies although it waits. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        text: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}/remind": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remind all receivers who have not settled a message; at most every five minutes. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CommandHead"];
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/talks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The private conversation of the caller with a member: a task of the two, which nobody else reads. The one there is, or a new one. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        with: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/work": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Request new work. Files are saved in the workspace and attached to the message. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        wish: string;
                        pasted: string;
                        files: {
                            name: string;
                            text: string;
                        }[];
                        /**
                         * @description files that were taken in before
                         * @default []
                         */
                        taken?: {
                            sha: string;
                        }[];
                        /**
                         * @description in place of wish: a template and the values of its fields; that of a file is its name
                         * @default null
                         */
                        template?: {
                            id: string;
                            values: {
                                [key: string]: string;
                            };
                        } | null;
                        /**
                         * @description people approve the plans of its task before they begin
                         * @default false
                         */
                        reviewPlans?: boolean;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            seq: number;
                            /** @description any JSON value */
                            reply?: unknown;
                            saved: string[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/work/demo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start the demo task on the documents that come with the program. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CommandHead"];
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            seq: number;
                            /** @description any JSON value */
                            reply?: unknown;
                            saved: string[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Request a change of the result of an ended task, as new work that begins with its files. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        /**
                         * @description of the result; '': all of it
                         * @default
                         */
                        passage?: string;
                        /** @description what is to be changed */
                        comment: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/work/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What became of new work: by the id of the message that asked for it (in the reply of POST /api/work), or of its task. With what is open to the caller in it, and the newest messages to them. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            message: string | null;
                            task: {
                                id: string;
                                name: string;
                            } | null;
                            /**
                             * @description asked: nobody has begun; answered: in words, without a task; input_required: something is open to the caller
                             * @enum {string}
                             */
                            state: "asked" | "answered" | "running" | "input_required" | "finished" | "failed";
                            progress: string | null;
                            summary: string | null;
                            /** @description open to the caller, oldest first */
                            requests: components["schemas"]["RequestRow"][];
                            /** @description to the caller, the newest last, 20 at most; files: paths in the workspace */
                            messages: {
                                id: string;
                                /** @description epoch milliseconds */
                                at: number;
                                from: string;
                                text: string;
                                files: string[];
                            }[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A folder of the workspace, as far as the caller may see it, or what is found in it by words of its path; of inbox/ their uploads and files of their messages. */
        get: {
            parameters: {
                query?: {
                    folder?: string;
                    depth?: number;
                    find?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            root: string;
                            folder: string;
                            entries: {
                                path: string;
                                /** @enum {string} */
                                kind: "file" | "folder";
                                bytes: number;
                                /** @description epoch milliseconds */
                                changedAt: number;
                                by: {
                                    agent: string;
                                    name: string;
                                    /** @description epoch milliseconds */
                                    at: number;
                                    /** @enum {string} */
                                    change: "made" | "changed" | "removed" | "sent";
                                    task: string | null;
                                    step: string | null;
                                } | null;
                            }[];
                            more: number;
                            isWhole: boolean;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/about": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A file of the workspace: what it is now, who sent it, and its versions, newest first. */
        get: {
            parameters: {
                query: {
                    path: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            path: string;
                            now: {
                                bytes: number;
                                /** @description epoch milliseconds */
                                changedAt: number;
                            } | null;
                            isAsRecorded: boolean | null;
                            sent: {
                                agent: string;
                                name: string;
                                /** @description epoch milliseconds */
                                at: number;
                                /** @enum {string} */
                                change: "made" | "changed" | "removed" | "sent";
                                task: string | null;
                                step: string | null;
                            } | null;
                            versions: {
                                seq: number;
                                /** @description epoch milliseconds */
                                at: number;
                                /** @enum {string} */
                                change: "made" | "changed" | "removed";
                                agent: string;
                                name: string;
                                task: string | null;
                                taskName: string | null;
                                step: string | null;
                                before: {
                                    sha: string | null;
                                    bytes: number;
                                    kept: boolean;
                                } | null;
                                now: {
                                    sha: string | null;
                                    bytes: number;
                                    kept: boolean;
                                } | null;
                                shared: boolean;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The content of a file, or of one of its versions. */
        get: {
            parameters: {
                query: {
                    path: string;
                    version?: number;
                    before?: "yes" | "no";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/octet-stream": string;
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The text of a workbook (.xlsx) or a text document (.docx), or of one of its versions. */
        get: {
            parameters: {
                query: {
                    path: string;
                    version?: number;
                    before?: "yes" | "no";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            kind: "sheets";
                            sheets: {
                                name: string;
                                rows: string[][];
                                left: number;
                            }[];
                            left: number;
                        } | {
                            /** @enum {string} */
                            kind: "words";
                            text: string;
                            left: number;
                        } | {
                            /** @enum {string} */
                            kind: "none";
                            /** @enum {string} */
                            why: "tooLarge" | "unsafe" | "broken" | "tooLong";
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/files/known": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which of these texts, one a line and 50 at most, are paths of files that the caller may see. */
        get: {
            parameters: {
                query: {
                    paths: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            paths: string[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/work/again": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What was asked, by its message or its task, for a new request. Its files count as uploaded by the caller. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        task: string;
                    } | {
                        message: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            text: string;
                            name: string | null;
                            files: {
                                name: string;
                                bytes: number;
                                sha: string;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The task whose result this one changes, and those that change its result, as far as the caller sees them. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            of: {
                                task: string;
                                name: string;
                                /** @enum {string} */
                                state: "init" | "running" | "finished" | "failed";
                            } | null;
                            by: {
                                task: string;
                                name: string;
                                /** @enum {string} */
                                state: "init" | "running" | "finished" | "failed";
                            }[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The templates of requests by name; for operators the removed ones too. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            templates: {
                                name: string;
                                text: string;
                                fields: {
                                    name: string;
                                    /** @enum {string} */
                                    kind: "text" | "choice" | "file";
                                    choices: string[];
                                    required: boolean;
                                }[];
                                reviewPlans: boolean;
                                /** @description the name of the person who saved it */
                                by: string;
                                /** @description epoch ms */
                                at: number;
                                id: string;
                                removed: boolean;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        /** Save a template: a new one, or another version. Each name in braces in its text is a field. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        template: string | null;
                        name: string;
                        text: string;
                        fields: {
                            name: string;
                            /** @enum {string} */
                            kind: "text" | "choice" | "file";
                            choices: string[];
                            required: boolean;
                        }[];
                        /** @description people approve the plans of its tasks before they begin */
                        reviewPlans?: boolean;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/templates/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Earlier versions of a template, the newest first. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            versions: {
                                name: string;
                                text: string;
                                fields: {
                                    name: string;
                                    /** @enum {string} */
                                    kind: "text" | "choice" | "file";
                                    choices: string[];
                                    required: boolean;
                                }[];
                                reviewPlans: boolean;
                                /** @description the name of the person who saved it */
                                by: string;
                                /** @description epoch ms */
                                at: number;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/templates/{id}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remove a template. Its history stays, and saving it again brings it back. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CommandHead"];
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** My scheduled requests, the next one first; for operators those of everybody. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            schedules: {
                                id: string;
                                name: string;
                                of: {
                                    id: string;
                                    name: string;
                                };
                                text: string;
                                files: {
                                    name: string;
                                    bytes: number;
                                }[];
                                cron: string;
                                timeZone: string;
                                paused: {
                                    by: string | null;
                                    reason: string;
                                    at: number;
                                } | null;
                                next: number | null;
                                last: {
                                    due: number;
                                    at: number;
                                    message: string;
                                    task: {
                                        id: string;
                                        name: string | null;
                                        /** @enum {string|null} */
                                        state: "init" | "running" | "finished" | "failed" | null;
                                    } | null;
                                } | null;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        /** Ask a request at set times, once an hour at most, in the name of the caller. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        wish: string;
                        pasted: string;
                        files: {
                            name: string;
                            text: string;
                        }[];
                        /**
                         * @description files that were taken in before
                         * @default []
                         */
                        taken?: {
                            sha: string;
                        }[];
                        /**
                         * @description in place of wish: a template and the values of its fields; that of a file is its name
                         * @default null
                         */
                        template?: {
                            id: string;
                            values: {
                                [key: string]: string;
                            };
                        } | null;
                        name: string;
                        /** @description five fields: minute, hour, day of the month, month, day of the week */
                        cron: string;
                        /** @description such as Europe/Berlin */
                        timeZone: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change the name, the text and the times of a schedule. A paused one runs again. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        name: string;
                        /** @description five fields: minute, hour, day of the month, month, day of the week */
                        cron: string;
                        /** @description such as Europe/Berlin */
                        timeZone: string;
                        text: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause a schedule. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CommandHead"];
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume a schedule. What was due meanwhile is not asked. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CommandHead"];
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedules/{id}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remove a schedule. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CommandHead"];
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/drafts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller’s drafts, without their texts. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            drafts: {
                                key: string;
                                /** @description epoch milliseconds */
                                at: number;
                                isWritten: boolean;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/drafts/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A draft of the caller; version null when there is none. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            text: string;
                            more?: {
                                [key: string]: unknown;
                            };
                            version: number | null;
                            other: string | null;
                            otherMore?: {
                                [key: string]: unknown;
                            };
                            /** @description epoch milliseconds */
                            at: number;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        /** Save a draft. Over another version both are kept, one as `other`. An empty draft is removed. */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        text: string;
                        more?: {
                            [key: string]: unknown;
                        };
                        version: number | null;
                        other?: {
                            text: string;
                            more?: {
                                [key: string]: unknown;
                            };
                        } | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            text: string;
                            more?: {
                                [key: string]: unknown;
                            };
                            version: number | null;
                            other: string | null;
                            otherMore?: {
                                [key: string]: unknown;
                            };
                            /** @description epoch milliseconds */
                            at: number;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/drafts/{key}/other": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Discard `other` of a draft. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            text: string;
                            more?: {
                                [key: string]: unknown;
                            };
                            version: number | null;
                            other: string | null;
                            otherMore?: {
                                [key: string]: unknown;
                            };
                            /** @description epoch milliseconds */
                            at: number;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/read/{place}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The last entry that the caller has read there; null: none yet. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    place: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            seq: number | null;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        /** Set the last entry that the caller has read there. It only moves forward, unless `isBack` sets it back. */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    place: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        seq: number;
                        isBack?: boolean;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            seq: number | null;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/by_hand": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Waiting calls of models that are people, oldest first. For operators and developers. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            calls: {
                                id: string;
                                model: string;
                                agent: string;
                                skill: string;
                                step: string | null;
                                task: {
                                    id: string;
                                    name: string;
                                } | null;
                                since: number;
                                parts: {
                                    /** @enum {string} */
                                    role: "system" | "user" | "assistant" | "tool";
                                    name: string;
                                    text: string;
                                }[];
                            }[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/by_hand/{call}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer such a call, or refuse it with a reason. The first answer counts; NOT_FOUND when it no longer waits. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    call: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        answer: string;
                    } | {
                        refuse: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            taken: true;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the caller is reached outside the page, and whether each channel is ready. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MyChannels"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/browsers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Subscribe this browser to pushes. A new subscription of the same browser replaces the old one. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** Format: uri */
                        endpoint: string;
                        keys: {
                            p256dh: string;
                            auth: string;
                        };
                        name: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/browsers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Unsubscribe a browser from pushes. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/channels/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send the caller a test by one channel. The answer says whether it worked. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @enum {string} */
                        channel: "push" | "webhook" | "email";
                        browser?: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            ok: boolean;
                            words: string;
                            hint: string | null;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/told": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Record that a page alerted the caller to these items. Senders see it beside the deliveries. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        items: string[];
                        /** @enum {string} */
                        channel: "page" | "desktop";
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/system/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The models and tool servers that can be tried. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            models: string[];
                            tools: string[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        /** Try one: does it answer, and if not, what is wrong and what to do. A model is called with a few words. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @enum {string} */
                        kind: "model" | "tool";
                        name: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            ok: boolean;
                            words: string;
                            hint: string | null;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All steps of a task, finished ones too, by page. */
        get: {
            parameters: {
                query?: {
                    after?: string;
                    limit?: number;
                    /** @description only those of this agent */
                    agent?: string;
                    /** @description only those whose intention or skill holds it */
                    text?: string;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            steps: components["schemas"]["Step"][];
                            next: string | null;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/steps/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A step. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            step: components["schemas"]["Step"];
                            taskName: string;
                            agentName: string;
                            archived: boolean;
                            /**
                             * @description its task was opened from a file
                             * @enum {boolean}
                             */
                            opened?: true;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/steps/{id}/prompt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The prompt of a model call of a step: the newest, or the named one. */
        get: {
            parameters: {
                query?: {
                    call?: string;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            call: components["schemas"]["ModelCall"];
                            sections: {
                                name: string;
                                /** @enum {string} */
                                role: "system" | "user" | "assistant" | "tool";
                                text: string;
                                bytes: number;
                                /** @description messages whose text the section holds, whole or cut */
                                messages: string[];
                            }[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/steps/{id}/response": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The model's answer, as it came, and its reasoning where that came apart. */
        get: {
            parameters: {
                query?: {
                    call?: string;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            call: components["schemas"]["ModelCall"];
                            text: string;
                            calls: {
                                name: string;
                                arguments: string;
                            }[];
                            reasoning: string | null;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/steps/{id}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The whole result of a step. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            kind: string;
                            text: string;
                            /** @description any JSON value */
                            json?: unknown;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/steps/{id}/arguments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The whole arguments of the tool call of a step, with what its tool takes. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description any JSON value */
                            json?: unknown;
                            text: string;
                            /** @description any JSON value */
                            schema?: unknown;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/steps/{id}/tool": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tool call of a step and its result, up to 256 KiB each. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            server: string;
                            name: string | null;
                            /** @description any JSON value */
                            arguments?: unknown;
                            approvedBy: {
                                name: string;
                                edited: boolean;
                                /**
                                 * @description without a review: by a standing rule of the task, or of the agent
                                 * @enum {string|null}
                                 */
                                allowed: "task" | "agent" | null;
                            } | null;
                            /** @description who had it done again with other arguments */
                            editedBy: string | null;
                            /** @description any JSON value */
                            result?: unknown;
                            isError: boolean | null;
                            cut: boolean;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/tree/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Steps of one agent in one stage, in the order in which they ran, also those that have left the live world, by page. */
        get: {
            parameters: {
                query: {
                    /** @description an entry: as the task was after it; absent: now */
                    moment?: number;
                    /** @description absent: steps in no stage */
                    stage?: string;
                    agent: string;
                    /** @description those before this place of the lane; absent: the last ones */
                    before?: number | null;
                    /** @description the page that holds this place */
                    at?: number | null;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            from: number;
                            to: number;
                            rows: components["schemas"]["TreeRow"][];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/tree/matches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Steps of a task that fit words, a state and an agent, the newest first, also those that have left the live world. */
        get: {
            parameters: {
                query?: {
                    /** @description an entry: as the task was after it; absent: now */
                    moment?: number;
                    text?: string;
                    state?: "failed" | "done";
                    agent?: string;
                    /** @description only those added before this entry */
                    before?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            rows: components["schemas"]["TreeRow"][];
                            next: number | null;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/tree/failure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The next failed step of a task in the order of its tree, with the page of steps that holds it. */
        get: {
            parameters: {
                query?: {
                    /** @description an entry: as the task was after it; absent: now */
                    moment?: number;
                    /** @description the step from which is gone on */
                    from?: string;
                    /** @description absent: steps in no stage */
                    stage?: string;
                    /** @description with stage: the lane from whose beginning is gone on */
                    agent?: string;
                    back?: "yes";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            step: string | null;
                            page: {
                                from: number;
                                to: number;
                                rows: components["schemas"]["TreeRow"][];
                            } | null;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/tree/ruler": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many steps each agent has in each stage of a task, and where among all steps failures are. */
        get: {
            parameters: {
                query?: {
                    /** @description an entry: as the task was after it; absent: now */
                    moment?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            lanes: {
                                stage: string | null;
                                agent: string;
                                failed: number;
                                places: number[];
                            }[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/moments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the changes of a task are spread, and where people are asked, answer, something fails or a stage begins or ends. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            changes: number;
                            buckets: {
                                from: number;
                                to: number;
                                /** @description epoch milliseconds */
                                at: number;
                                changes: number;
                                marks: {
                                    ask: number;
                                    answer: number;
                                    failure: number;
                                    stage: number;
                                    checkpoint: number;
                                };
                            }[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/moments/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The changes of a task around an entry, one by one. */
        get: {
            parameters: {
                query: {
                    /** @description an entry */
                    around: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            changes: {
                                seq: number;
                                /** @description epoch milliseconds */
                                at: number;
                                place: number;
                                mark: {
                                    /** @enum {string} */
                                    kind: "ask" | "answer" | "failure" | "stage" | "checkpoint";
                                    who: string | null;
                                    whom: string[];
                                } | null;
                            }[];
                            of: number;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/moments/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which stages, steps, messages and requests of a task differ between two moments, or a moment and now. */
        get: {
            parameters: {
                query: {
                    from: number;
                    /** @description absent: now */
                    to?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            stages: {
                                count: number;
                                newest: {
                                    id: string;
                                    name: string;
                                    /** @enum {string|null} */
                                    was: "init" | "pending" | "running" | "finished" | "failed" | "open" | "claimed" | "answered" | "released" | "expired" | "superseded" | "sent" | null;
                                    /** @enum {string|null} */
                                    is: "init" | "pending" | "running" | "finished" | "failed" | "open" | "claimed" | "answered" | "released" | "expired" | "superseded" | "sent" | null;
                                }[];
                            };
                            steps: {
                                count: number;
                                newest: {
                                    id: string;
                                    name: string;
                                    /** @enum {string|null} */
                                    was: "init" | "pending" | "running" | "finished" | "failed" | "open" | "claimed" | "answered" | "released" | "expired" | "superseded" | "sent" | null;
                                    /** @enum {string|null} */
                                    is: "init" | "pending" | "running" | "finished" | "failed" | "open" | "claimed" | "answered" | "released" | "expired" | "superseded" | "sent" | null;
                                }[];
                            };
                            messages: {
                                count: number;
                                newest: {
                                    id: string;
                                    name: string;
                                    /** @enum {string|null} */
                                    was: "init" | "pending" | "running" | "finished" | "failed" | "open" | "claimed" | "answered" | "released" | "expired" | "superseded" | "sent" | null;
                                    /** @enum {string|null} */
                                    is: "init" | "pending" | "running" | "finished" | "failed" | "open" | "claimed" | "answered" | "released" | "expired" | "superseded" | "sent" | null;
                                }[];
                            };
                            requests: {
                                count: number;
                                newest: {
                                    id: string;
                                    name: string;
                                    /** @enum {string|null} */
                                    was: "init" | "pending" | "running" | "finished" | "failed" | "open" | "claimed" | "answered" | "released" | "expired" | "superseded" | "sent" | null;
                                    /** @enum {string|null} */
                                    is: "init" | "pending" | "running" | "finished" | "failed" | "open" | "claimed" | "answered" | "released" | "expired" | "superseded" | "sent" | null;
                                }[];
                            };
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/steps/{id}/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Call the model of a step with another prompt. The call is recorded and paid; nothing of the step changes. Developers' and operators'. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        call: string;
                        sections: {
                            name: string;
                            /** @enum {string} */
                            role: "system" | "user" | "assistant";
                            text: string;
                        }[];
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            call: components["schemas"]["ModelCall"];
                            text: string;
                            reasoning: string | null;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tool servers and their states. Operators see all, with errors; others those that they may use. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            servers: {
                                name: string;
                                guide: string;
                                /** @enum {string} */
                                state: "idle" | "connecting" | "connected" | "failed" | "needs_sign_in";
                                /** @description its tools are among those that the caller may run by hand */
                                mayRun: boolean;
                                /** @description elsewhere: one that may ask for a sign-in */
                                remote: boolean;
                                error: string | null;
                                /** @description the page that a person is to open */
                                signInUrl: string | null;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tools/{id}/sign_in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin a sign-in at a remote tool server: the page to open, or null when it needs none. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Nothing"];
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            url: string | null;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tools/oauth/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The redirect URI of sign-ins at tool servers. Redirects to the settings. */
        get: {
            parameters: {
                query?: {
                    state?: string;
                    code?: string;
                    iss?: string;
                    error?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            server?: string;
                            failed?: string;
                        };
                    };
                };
                /** @description See the body */
                303: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            server?: string;
                            failed?: string;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tool_rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the calls of tools are asked about: the rules of operators, and what the configuration says of each tool. */
        get: {
            parameters: {
                query?: {
                    task?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            rules: {
                                server: string;
                                tool: string;
                                /** @enum {string} */
                                rule: "ask" | "urgent" | "allow" | "off";
                                owner: {
                                    /** @enum {string} */
                                    kind: "task" | "agent";
                                    id: string;
                                    name: string;
                                };
                                by: string;
                                /** @description epoch milliseconds */
                                at: number;
                                /** @description epoch milliseconds */
                                endsAt: number | null;
                            }[];
                            tools: {
                                server: string;
                                tool: string;
                                /** @enum {string} */
                                configured: "risky" | "always" | "never";
                            }[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/tool_rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say for a task how the calls of a tool are asked about, or take it back. For operators. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        /** @description recorded, and told in the chat */
                        reason: string;
                        server: string;
                        tool: string;
                        /** @enum {string|null} */
                        rule: "ask" | "urgent" | "allow" | "off" | null;
                        /** @default null */
                        endsAt?: number | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{id}/tool_rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say for an agent how its calls of a tool are asked about, or take it back. For operators. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        /** @description recorded, and told in the chat */
                        reason: string;
                        server: string;
                        tool: string;
                        /** @enum {string|null} */
                        rule: "ask" | "urgent" | "allow" | "off" | null;
                        /** @default null */
                        endsAt?: number | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tools/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tools of a server, for those who may use it and operators. Connects to it when needed. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            name: string;
                            guide: string;
                            /** @enum {string} */
                            state: "idle" | "connecting" | "connected" | "failed" | "needs_sign_in";
                            mayRun: boolean;
                            error: string | null;
                            tools: {
                                name: string;
                                title: string | null;
                                description: string;
                                /** @description of its arguments */
                                schema?: unknown;
                                /** @description it changes nothing, as its server says */
                                reads: boolean;
                                /** @description the person who runs it by hand confirms exactly what runs */
                                asks: boolean;
                            }[];
                            /** @description what of its lists could not be read, a sentence each, in the language of the caller */
                            unread: string[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tools/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run a tool by hand, as a step of the caller. A tool that may change something needs `confirmed`. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RunTool"];
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/directory/peers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Peers, last seen first, removed ones last. For operators and developers. */
        get: {
            parameters: {
                query?: {
                    /** @description `next` of the page before */
                    after?: string;
                    limit?: number;
                    peer?: string;
                    agent?: string;
                    task?: string;
                    conversation?: string;
                    message?: string;
                    /** @description only what was refused, failed or is tried again */
                    trouble?: "true" | "false";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            rows: components["schemas"]["Peer"][];
                            total: number;
                            next: string | null;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Add a peer. The answer holds the key that it must present, once.
         * @description A command, a key or access is given: 403 CONFIRM_PASSWORD, unless the caller signed in or called POST /api/sessions/confirm within 5 minutes.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        baseUrl: string | null;
                        may: ("mamp" | "envelope" | "harmony" | "map" | "a2a")[];
                        actions: string[];
                        agents: string[];
                        allowPrivate: boolean;
                        /** @description left out: 5 tasks at once */
                        limits?: {
                            tasks: number;
                            tokensPerDay: number | null;
                            /** @description US dollars */
                            costPerDay: number | null;
                        };
                        sendKeyEnv: string | null;
                        signingKeyEnv: string | null;
                        uri: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            seq: number;
                            /** @description any JSON value */
                            reply?: unknown;
                            /** @description here and nowhere else; null: an earlier answer to the same command held it */
                            key: string | null;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/directory/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Conversations with agents of other systems, each with its task. */
        get: {
            parameters: {
                query?: {
                    /** @description `next` of the page before */
                    after?: string;
                    limit?: number;
                    peer?: string;
                    agent?: string;
                    task?: string;
                    conversation?: string;
                    message?: string;
                    /** @description only what was refused, failed or is tried again */
                    trouble?: "true" | "false";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            rows: components["schemas"]["Conversation"][];
                            total: number;
                            next: string | null;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/directory/registry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Known agents of other systems, their capabilities, and when they last sent anything. */
        get: {
            parameters: {
                query?: {
                    /** @description `next` of the page before */
                    after?: string;
                    limit?: number;
                    peer?: string;
                    agent?: string;
                    task?: string;
                    conversation?: string;
                    message?: string;
                    /** @description only what was refused, failed or is tried again */
                    trouble?: "true" | "false";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            rows: components["schemas"]["Registered"][];
                            total: number;
                            next: string | null;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/directory/checkpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Checkpoints of our agents and of agents of other systems, newest first. */
        get: {
            parameters: {
                query?: {
                    /** @description `next` of the page before */
                    after?: string;
                    limit?: number;
                    peer?: string;
                    agent?: string;
                    task?: string;
                    conversation?: string;
                    message?: string;
                    /** @description only what was refused, failed or is tried again */
                    trouble?: "true" | "false";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            rows: components["schemas"]["Checkpoint"][];
                            total: number;
                            next: string | null;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/directory/exchange": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Envelopes in and out with their verdicts, newest first. */
        get: {
            parameters: {
                query?: {
                    /** @description `next` of the page before */
                    after?: string;
                    limit?: number;
                    peer?: string;
                    agent?: string;
                    task?: string;
                    conversation?: string;
                    message?: string;
                    /** @description only what was refused, failed or is tried again */
                    trouble?: "true" | "false";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            rows: components["schemas"]["Envelope"][];
                            total: number;
                            next: string | null;
                            refused: {
                                /** @enum {string} */
                                protocol: "mamp" | "envelope" | "harmony" | "map" | "a2a";
                                code: string;
                                count: number;
                            }[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/directory/exchange/{seq}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One envelope, with its text when that was kept. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    seq: number | null;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            envelope: components["schemas"]["Envelope"];
                            text: string | null;
                            isCut: boolean;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/directory/checkpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One checkpoint with its metadata, and the names of its artifacts. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            checkpoint: components["schemas"]["Checkpoint"];
                            /** @description any JSON value */
                            metadata?: unknown;
                            artifacts: string[];
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/directory/checkpoints/{id}/artifacts/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A piece of an artifact, with the length and SHA-256 of the whole; `next` is the start of the next piece. */
        get: {
            parameters: {
                query?: {
                    from?: number | null;
                };
                header?: never;
                path: {
                    id: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            name: string;
                            mime: string;
                            /** @description of the whole */
                            bytes: number;
                            /** @description SHA-256 of the whole, hex */
                            sha: string;
                            base64: string;
                            next: number | null;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/directory/peers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the rights and the address of a peer. Its key stays.
         * @description A command, a key or access is given: 403 CONFIRM_PASSWORD, unless the caller signed in or called POST /api/sessions/confirm within 5 minutes.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        baseUrl: string | null;
                        may: ("mamp" | "envelope" | "harmony" | "map" | "a2a")[];
                        actions: string[];
                        agents: string[];
                        allowPrivate: boolean;
                        /** @description left out: 5 tasks at once */
                        limits?: {
                            tasks: number;
                            tokensPerDay: number | null;
                            /** @description US dollars */
                            costPerDay: number | null;
                        };
                        sendKeyEnv: string | null;
                        signingKeyEnv: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/directory/peers/{id}/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new key for a peer. The old one becomes invalid.
         * @description A command, a key or access is given: 403 CONFIRM_PASSWORD, unless the caller signed in or called POST /api/sessions/confirm within 5 minutes.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CommandHead"];
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            seq: number;
                            /** @description any JSON value */
                            reply?: unknown;
                            /** @description here and nowhere else; null: an earlier answer to the same command held it */
                            key: string | null;
                        };
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/directory/peers/{id}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a peer: its key becomes invalid, its conversations are closed, those who wait for it are told.
         * @description A command, a key or access is given: 403 CONFIRM_PASSWORD, unless the caller signed in or called POST /api/sessions/confirm within 5 minutes.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CommandHead"];
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/directory/peers/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test message, which needs no reply, to an agent of a peer. Its outcome: `…/exchange?message=`. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                        /** @description epoch milliseconds by the server; past it the command is never done */
                        until: number;
                        uri: string;
                        text: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAnswer"];
                    };
                };
                /** @description Refused */
                "4XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Cannot now */
                "5XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Refusal: {
            error: string;
            message: string;
            status_code: number;
            /** @description any JSON value */
            details?: unknown;
            /** @enum {boolean} */
            success?: false;
        };
        Settings: {
            /** @enum {string} */
            theme?: "system" | "light" | "dark";
            /** @enum {string} */
            language?: "en" | "zh";
            /** @enum {string} */
            density?: "comfortable" | "compact";
            textScale?: number;
            timeZone?: string | null;
            hideHints?: boolean;
            singleKeys?: boolean;
            keys?: {
                [key: string]: string;
            };
            sound?: boolean;
            askedDesktop?: boolean;
            rest?: {
                isOn: boolean;
                until: number | null;
                daily: {
                    from: string;
                    to: string;
                    zone?: string;
                } | null;
                urgentBreaksThrough: boolean;
            };
            levels?: {
                [key: string]: "all" | "mentions" | "urgent";
            };
            senders?: {
                [key: string]: "all" | "mentions" | "urgent";
            };
            groups?: {
                name: string;
                members: string[];
            }[];
            views?: {
                name: string;
                filter: {
                    task?: string;
                    from?: string;
                    /** @enum {string} */
                    kind?: "question" | "confirmation" | "part" | "decision" | "urgent" | "action" | "message";
                    /** @enum {boolean} */
                    snoozed?: true;
                };
            }[];
        };
        MyData: {
            account: {
                agent_id: string;
                id: string | null;
                name: string;
                role: string;
                profile: string;
                /** @enum {string} */
                access: "participant" | "operator" | "developer" | "none";
                groups: string[];
                /** @description epoch milliseconds */
                createdAt: number;
                hasPassword: boolean;
            };
            settings: components["schemas"]["Settings"];
            sessions: {
                id: string;
                browser: string | null;
                address: string | null;
                /** @description epoch milliseconds */
                since: number;
                /** @description epoch milliseconds */
                lastSeen: number;
                /** @description epoch milliseconds */
                expiresAt: number;
                isThis: boolean;
            }[];
            /** @description personal access tokens, without their secrets */
            tokens: {
                id: string;
                name: string;
                scopes: ("read" | "answer" | "ask" | "operate")[];
                /** @description epoch milliseconds */
                since: number;
                /** @description epoch milliseconds */
                lastUsed: number | null;
                /** @description epoch milliseconds */
                expiresAt: number;
            }[];
            /** @description by which they sign in; subject: as that provider knows them */
            providers: {
                provider: string;
                issuer: string;
                subject: string;
            }[];
            /** @description for 90 days; token: the name of a personal access token */
            endedSessions: {
                id: string;
                browser: string | null;
                address: string | null;
                /** @description epoch milliseconds */
                since: number;
                token: string | null;
                /** @description epoch milliseconds */
                endedAt: number;
            }[];
            /** @description without keys and addresses that are secrets */
            channels: {
                browsers: {
                    name: string;
                    service: string;
                    /** @description epoch milliseconds */
                    at: number;
                }[];
                webhook: {
                    /** @enum {string} */
                    state: "none" | "notReady" | "ready";
                    to: string | null;
                };
                email: {
                    /** @enum {string} */
                    state: "none" | "notReady" | "ready";
                    to: string | null;
                };
            } | null;
            read: {
                place: string;
                seq: number | null;
                /** @description epoch milliseconds */
                at: number;
            }[];
            uploads: {
                name: string;
                savedAs: string | null;
                mime: string;
                bytes: number;
                /** @description epoch milliseconds */
                at: number;
            }[];
            schedules: {
                id: string;
                name: string;
                text: string;
                cron: string;
                timeZone: string;
                attachments: {
                    name: string;
                    savedAs: string | null;
                    mime: string;
                    bytes: number;
                }[];
                /** @description epoch milliseconds */
                createdAt: number;
            }[];
            drafts: {
                text: string;
                more?: {
                    [key: string]: unknown;
                };
                version: number | null;
                other: string | null;
                otherMore?: {
                    [key: string]: unknown;
                };
                /** @description epoch milliseconds */
                at: number;
                key: string;
            }[];
            history: ({
                seq: number;
                /** @description epoch milliseconds */
                at: number;
                id: string;
                task: {
                    id: string;
                    name: string;
                };
                /** @enum {string} */
                what: "message";
                from: {
                    id: string;
                    name: string;
                };
                to: {
                    id: string;
                    name: string;
                }[];
                text: string;
                replyTo: string | null;
                attachments: {
                    name: string;
                    savedAs: string | null;
                    mime: string;
                    bytes: number;
                }[];
                passed: boolean;
            } | {
                seq: number;
                /** @description epoch milliseconds */
                at: number;
                id: string;
                task: {
                    id: string;
                    name: string;
                };
                /** @enum {string} */
                what: "request";
                kind: string;
                from: {
                    id: string;
                    name: string;
                };
                question: string;
                choices: string[];
                call: {
                    server: string;
                    tool: string;
                    changes: string;
                } | null;
                passed: boolean;
            } | {
                seq: number;
                /** @description epoch milliseconds */
                at: number;
                id: string;
                task: {
                    id: string;
                    name: string;
                };
                /** @enum {string} */
                what: "answer";
                from: {
                    id: string;
                    name: string;
                };
                for: {
                    id: string;
                    name: string;
                } | null;
                decision: string;
                text: string;
                /** @description of a changed call, its first characters */
                arguments: string | null;
            } | {
                seq: number;
                /** @description epoch milliseconds */
                at: number;
                id: string;
                task: {
                    id: string;
                    name: string;
                };
                /** @enum {string} */
                what: "offer";
                from: {
                    id: string;
                    name: string;
                };
                to: {
                    id: string;
                    name: string;
                };
                text: string;
                begun: string | null;
            })[];
        };
        CommandAnswer: {
            seq: number;
            /** @description any JSON value */
            reply?: unknown;
        };
        CommandHead: {
            id: string;
            /** @description epoch milliseconds by the server; past it the command is never done */
            until: number;
        };
        RequestRow: {
            id: string;
            /** @enum {string} */
            kind: "request";
            /** @enum {string} */
            group: "urgent" | "still" | "part" | "action" | "mention" | "unread" | "done";
            request: components["schemas"]["Request"];
            taskName: string;
            /** @description what it was about is not what it was when it was asked */
            changed: boolean;
        } & {
            [key: string]: unknown;
        };
        Request: {
            id: string;
            task: string;
            number: number | null;
            kind: string;
            asked: string[];
            state: string;
            question: string;
        } & {
            [key: string]: unknown;
        };
        Act: {
            id: string;
            /** @description epoch milliseconds by the server; past it the command is never done */
            until: number;
            /** @description recorded, and told in the chat */
            reason: string;
        };
        Wait: {
            id: string;
            /** @enum {string} */
            kind: "wait";
            task: string;
            taskName: string;
            /** @description epoch milliseconds */
            since: number;
            /** @description epoch milliseconds */
            due: number | null;
            what: string;
            request: string | null;
            /** @enum {string} */
            state: "waiting" | "circle" | "deadEnd" | "gone";
            isBlocked: boolean;
            why: string | null;
            circle: string | null;
        } & {
            [key: string]: unknown;
        };
        MyChannels: {
            pushKey: string;
            browsers: {
                id: string;
                name: string;
                /** @description epoch milliseconds */
                at: number;
                endpoint: string;
            }[];
            webhook: {
                /** @enum {string} */
                state: "none" | "notReady" | "ready";
                to: string | null;
            };
            email: {
                /** @enum {string} */
                state: "none" | "notReady" | "ready";
                to: string | null;
            };
            times: {
                ownMs: number;
                noPageMs: number;
                againMs: number;
                untilMs: number;
                raiseAgainMs: number;
            } & {
                [key: string]: unknown;
            };
        };
        Step: {
            id: string;
            task: string;
            stage: string | null;
            agent: string;
            intention: string;
            /** @enum {string} */
            type: "skill" | "tool";
            executor: string;
            /** @enum {string} */
            state: "init" | "pending" | "running" | "finished" | "failed";
            text: string;
            calls: components["schemas"]["ModelCall"][];
        } & {
            [key: string]: unknown;
        };
        ModelCall: {
            id: string;
            attempt: number;
            model: string;
            answer: {
                sha: string;
                bytes: number;
                preview: string;
                mime: string;
            } | null;
            reasoning?: {
                sha: string;
                bytes: number;
                preview: string;
                mime: string;
            };
            outcome: string;
            promptTokens: number | null;
            cachedTokens?: number | null;
            completionTokens: number | null;
            reasoningTokens?: number | null;
            costUsd: number | null;
            totalMs: number;
            /** @description epoch milliseconds */
            at: number;
        } & {
            [key: string]: unknown;
        };
        TreeRow: {
            id: string;
            /** @enum {string} */
            kind: "stage" | "agent" | "step" | "older";
            parent: string | null;
            name: string;
            state: string;
            stage: string | null;
            agent: string | null;
        } & {
            [key: string]: unknown;
        };
        Nothing: Record<string, never>;
        RunTool: {
            id: string;
            /** @description epoch milliseconds by the server; past it the command is never done */
            until: number;
            task: string;
            /** @default null */
            stage: string | null;
            tool: string;
            /** @default {} */
            arguments: {
                [key: string]: unknown;
            };
            /**
             * @description the caller saw exactly this and wants it
             * @default false
             */
            confirmed: boolean;
            /**
             * @description of what was confirmed: recorded, and told in the chat
             * @default
             */
            reason: string;
        };
        Peer: {
            id: string;
            /** @description by whom in the console; null: the configuration names it */
            made: {
                by: components["schemas"]["Who"];
                sendKey: {
                    variable: string;
                    isSet: boolean;
                } | null;
                signingKey: {
                    variable: string;
                    isSet: boolean;
                } | null;
            } | null;
            uri: string;
            baseUrl: string | null;
            may: ("mamp" | "envelope" | "harmony" | "map" | "a2a")[];
            actions: string[];
            /** @description ours that it may address */
            agents: components["schemas"]["Who"][];
            allowPrivate: boolean;
            /** @description how much work its agents may ask for: tasks at once, the rest in 24 hours; null: no limit */
            limits: {
                tasks: number;
                tokensPerDay: number | null;
                /** @description US dollars */
                costPerDay: number | null;
            };
            removed: boolean;
            /** @description epoch milliseconds */
            addedAt: number;
            /** @description epoch milliseconds */
            seenAt: number | null;
            /** @description its agents that are in the team */
            known: number;
            /** @description conversations that go on */
            open: number;
        };
        Who: {
            id: string;
            name: string;
            /** @enum {string} */
            kind: "llm" | "human" | "outside" | "system";
            role: string;
            manager: boolean;
            /** @enum {string} */
            access: "participant" | "operator" | "developer" | "none";
        };
        Conversation: {
            id: string;
            peer: string;
            peerUri: string;
            /** @enum {string} */
            protocol: "mamp" | "envelope" | "harmony" | "map" | "a2a";
            task: {
                id: string;
                /** @description null: it left the live world */
                name: string | null;
            };
            outsider: components["schemas"]["Who"];
            uri: string;
            ours: components["schemas"]["Who"];
            /** @description the id that both systems know */
            shared: string | null;
            /** @enum {string} */
            openedBy: "us" | "them";
            callback: string | null;
            /** @description epoch milliseconds */
            createdAt: number;
            /** @description epoch milliseconds */
            lastMessageAt: number;
            /** @description epoch milliseconds */
            closedAt: number | null;
            closedBecause: string | null;
        };
        Registered: {
            who: components["schemas"]["Who"];
            uri: string;
            peer: string;
            capabilities: string[];
            open: number;
            /** @description epoch milliseconds */
            seenAt: number | null;
            /** @description epoch milliseconds */
            addedAt: number;
            removed: boolean;
        };
        Checkpoint: {
            id: string;
            agent: components["schemas"]["Who"];
            agentName: string;
            peer: string | null;
            task: {
                id: string;
                /** @description null: it left the live world */
                name: string | null;
            } | null;
            stage: string | null;
            stageNumber: number | null;
            label: string;
            session: string | null;
            /** @description epoch milliseconds */
            at: number;
            seq: number;
        };
        Envelope: {
            seq: number;
            /** @description epoch milliseconds */
            at: number;
            /** @enum {string} */
            direction: "in" | "out";
            /** @enum {string} */
            protocol: "mamp" | "envelope" | "harmony" | "map" | "a2a";
            peer: string;
            peerUri: string;
            conversation: string | null;
            task: {
                id: string;
                /** @description null: it left the live world */
                name: string | null;
            } | null;
            outsider: components["schemas"]["Who"] & (Record<string, never> | null);
            message: string | null;
            theirs: string;
            /** @description taken, repeat, answered, in_progress, answers_nothing, delivered, retry, failed, or the code with which it was refused */
            verdict: string;
            status: number | null;
            /** @description in the team’s language, or what its sender was told */
            why: string | null;
            /** @description why it did not arrive, of newer lines */
            reason?: {
                /** @enum {string} */
                code: "noAddress" | "notConnected" | "noWay" | "toBeFetched";
            } | {
                /** @enum {string} */
                code: "answered";
                status: number;
                says: string;
            } | {
                /** @enum {string} */
                code: "private";
                host: string;
            } | {
                /** @enum {string} */
                code: "late";
                seconds: number;
            } | {
                /** @enum {string} */
                code: "network";
                says: string;
            } | null;
            /** @enum {string|null} */
            by: "call" | "callback" | "stream" | null;
            bytes: number;
            sha: string;
            /** @description SHA-256 of what its message said, of newer lines */
            content?: string;
            isKept: boolean;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;

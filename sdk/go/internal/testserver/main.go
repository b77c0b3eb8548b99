// For e2e/scenarios/sdk/sdks-of-other-languages.e2e.ts: POST /verify runs one call of Verify, and POST /form
// one of VerifyRequest with the settings of the environment.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"

	stile "github.com/stile/stile/sdk/go"
)

func main() {
	http.HandleFunc("/verify", func(w http.ResponseWriter, r *http.Request) {
		var call struct {
			Options stile.Options
			Token   any
			Visitor stile.Visitor
		}
		if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
			answer(w, map[string]any{"error": err.Error()})
			return
		}
		client, err := stile.New(call.Options)
		if err != nil {
			answer(w, map[string]any{"error": err.Error()})
			return
		}
		token, _ := call.Token.(string)
		answer(w, toJSON(client.Verify(token, call.Visitor)))
	})
	http.HandleFunc("/form", func(w http.ResponseWriter, r *http.Request) {
		client, err := stile.New(stile.Options{SecretKey: os.Getenv("STILE_SECRET"), BaseURL: os.Getenv("SERVICE_URL")})
		if err != nil {
			log.Fatal(err)
		}
		said := toJSON(client.VerifyRequest(r, ""))
		var fields struct{ Email string }
		if json.NewDecoder(r.Body).Decode(&fields) != nil {
			fields.Email = r.PostFormValue("email")
		}
		said["email"] = fields.Email
		answer(w, said)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], nil))
}

func toJSON(result stile.Result) map[string]any {
	said := map[string]any{
		"ok":              result.OK,
		"recommendation":  result.Recommendation,
		"reason":          nil,
		"verdict":         result.Verdict,
		"wasAbleToVerify": result.WasAbleToVerify,
	}
	if result.Reason != "" {
		said["reason"] = result.Reason
	}
	return said
}

func answer(w http.ResponseWriter, said map[string]any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(said)
}

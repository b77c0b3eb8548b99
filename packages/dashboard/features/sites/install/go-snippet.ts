import {
  NO_VERDICT,
  SECOND_STEP,
  type ServerTerms,
  SNIPPET_ACTION,
  type Snippet,
} from "./snippet.ts";

/** The sample for Go. */
export function goSnippet(terms: ServerTerms): Snippet {
  const secondStep = `
// ${SECOND_STEP}
func secondStep(w http.ResponseWriter, r *http.Request) {
	http.Error(w, "Please try again.", http.StatusForbidden)
}
`;
  const branch = ` else if recommendation == "challenge" {
		secondStep(w, r)
	}`;
  const code = `package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

var hosts = []string{${terms.hosts.slice(1, -1)}} // where your pages are
var client = &http.Client{Timeout: 10 * time.Second}

// Set this to true only behind your own proxy that sets X-Real-IP to the visitor's address, even if
// the visitor sent one.
const behindProxy = false

// Returns a recommendation (allow, challenge or block) and its reason. A refused token is always
// "block". Returns an error if Stile gives no verdict: a 5xx, or no answer in 10 s. You decide what
// happens then.
func checkToken(token, remoteip, userAgent string) (string, string, error) {
	body, err := json.Marshal(map[string]string{"token": token, "remoteip": remoteip, "user_agent": userAgent})
	if err != nil {
		return "", "", err
	}
	call, err := http.NewRequest("POST", "${terms.baseUrl}/api/v1/token/verify", bytes.NewReader(body))
	if err != nil {
		return "", "", err
	}
	call.Header.Set("Authorization", "Bearer "+os.Getenv("STILE_SECRET"))
	call.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(call)
	if err != nil {
		return "", "", err
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 500 {
		return "", "", fmt.Errorf("stile answered %d", answer.StatusCode)
	} else if answer.StatusCode != http.StatusOK {
		return "block", fmt.Sprint("stile answered ", answer.StatusCode), nil
	}
	var verdict struct {
		Data struct {
			Verified                             bool
			Hostname, Recommendation, ReasonCode string
			Score                                float64
		}
	}
	if err := json.NewDecoder(answer.Body).Decode(&verdict); err != nil {
		return "", "", err
	}
	data := verdict.Data
	if !data.Verified {
		return "block", data.ReasonCode, nil
	}
	for _, host := range hosts {
		if strings.HasSuffix("."+data.Hostname, "."+host) {
			return data.Recommendation, fmt.Sprint("score ", data.Score), nil
		}
	}
	return "block", "solved on " + data.Hostname + ", not on " + strings.Join(hosts, " or "), nil
}
${terms.isAsked ? "" : secondStep}
func signUp(w http.ResponseWriter, r *http.Request) {
	address := r.RemoteAddr
	if behindProxy {
		address = r.Header.Get("X-Real-IP")
	}
	recommendation, reason, err := checkToken(r.FormValue("stile-response"), address, r.UserAgent())
	if err != nil {
		// ${NO_VERDICT} "allow" would accept every form.
		recommendation, reason = "block", err.Error()
	}
	if recommendation == "allow" {
		fmt.Fprint(w, "Welcome") // the form may be trusted here
	}${terms.isAsked ? "" : branch} else {
		log.Print("Refused: ", reason)
		http.Error(w, "Please try again.", http.StatusForbidden)
	}
}

func main() {
	http.HandleFunc("POST ${SNIPPET_ACTION}", signUp)
	log.Fatal(http.ListenAndServe(":3000", nil))
}`;
  return { id: "go", label: "Go", language: "go", code };
}

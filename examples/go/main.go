package main

import (
	"fmt"
	"html/template"
	"log"
	"net/http"
	"os"

	stile "github.com/stile/stile/sdk/go"
)

var page = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="en">
  <title>Sign up</title>
  <script src="{{.Captcha}}/stile.js" async defer></script>
  <form method="post" action="/sign-up">
    <label>Email <input name="email" type="email" required></label>
    <stile-captcha sitekey="{{.SiteKey}}"></stile-captcha>
    <button>Sign up</button>
  </form>
</html>`))

func main() {
	captcha := os.Getenv("CAPTCHA_URL")
	client, err := stile.New(stile.Options{SecretKey: os.Getenv("STILE_SECRET"), BaseURL: captcha})
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		page.Execute(w, map[string]string{"Captcha": captcha, "SiteKey": os.Getenv("SITE_KEY")})
	})
	http.HandleFunc("/sign-up", func(w http.ResponseWriter, r *http.Request) {
		if !client.VerifyRequest(r, "").OK {
			http.Error(w, "Please try again.", http.StatusForbidden)
			return
		}
		fmt.Fprint(w, "Welcome, ", r.FormValue("email"))
	})
	log.Fatal(http.ListenAndServe("localhost:"+os.Getenv("PORT"), nil))
}
